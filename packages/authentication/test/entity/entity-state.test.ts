import { describe, expect, it } from '@jest/globals';
import { disabledField, entityIdName, isDisabled, refuseDisabled, secretAt, secretsOf } from '../../src/entity/entity-state.ts';

describe('a disabled entity', () => {
  it.each([
    [{}, 'disabled'],
    [{ disabledField: undefined }, 'disabled'],
    [{ disabledField: 'locked' }, 'locked'],
    [{ disabledField: null }, null],
  ])('is told by a property: with %j by %j', (configuration, field) => {
    expect(disabledField(configuration as never)).toBe(field);
  });

  it.each([
    [{ disabled: true }, 'disabled', true],
    [{ disabled: 1 }, 'disabled', true],
    [{ disabled: '2030-01-01' }, 'disabled', true],
    [{ disabled: false }, 'disabled', false],
    [{ disabled: null }, 'disabled', false],
    [{}, 'disabled', false],
    [{ locked: true }, 'disabled', false],
    [{ disabled: true, null: true }, null, false],
    [undefined, 'disabled', false],
    [{ account: { disabled: true } }, 'account.disabled', true],
    [{ account: { disabled: false } }, 'account.disabled', false],
    [{ account: null }, 'account.disabled', false],
    [{ accounts: [{ disabled: false }, { disabled: true }] }, 'accounts.disabled', true],
    [{ accounts: [{ disabled: false }] }, 'accounts.disabled', false],
    [{ accounts: [{ disabled: false }, { disabled: true }] }, 'accounts.0.disabled', false],
  ])('%j by the property %j: %j', (entity, field, expected) => {
    expect(isDisabled(entity, field)).toBe(expected);
    const refused = expect(() => {
      refuseDisabled(entity, field);
    });
    if (expected) refused.toThrow(expect.objectContaining({ code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } }));
    else refused.not.toThrow();
  });
});

describe('secrets as a text', () => {
  it('are the same for the same secrets, and for those that are not there', () => {
    expect(secretAt({ a: { b: 'x' } }, 'a.b')).toBe('"x"');
    expect(secretAt({}, 'a.b')).toBe(secretAt({ a: { b: null } }, 'a.b'));
    expect(secretsOf({ a: 'x', b: 'y' }, ['a'])).toBe(secretAt({ a: 'x' }, 'a'));
    expect(secretsOf({ a: 'x', b: 'y' }, [])).toBe(secretsOf({}, []));
  });

  it('are another one for each other secret, wherever one ends and the next begins', () => {
    const texts = [{ a: 'x', b: 'y' }, { a: 'x', b: 'z' }, { a: 'z', b: 'y' }, { a: 'x","y' }, { a: 'x,y' }, { b: 'x' }, {}].map((entity) =>
      secretsOf(entity, ['a', 'b']),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});

it.each([
  [{ entityId: 'uuid' }, { id: '_id' }, 'uuid'],
  [{}, { id: '_id' }, '_id'],
  [{}, {}, 'id'],
  [{}, null, 'id'],
  [{}, undefined, 'id'],
])('the id of entities is, with %j and the service %j, %s', (configuration, service, name) => {
  expect(entityIdName(configuration, service)).toBe(name);
});
