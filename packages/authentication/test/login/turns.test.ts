import { NotAuthenticated, Unavailable } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { Turn } from '../../src/login/turns.ts';

/** A login, and a logout of the same connection that comes behind it. */
function inOrder(connection: object = {}): readonly [login: Turn, logout: Turn] {
  return [new Turn(connection), new Turn(connection)];
}

describe('the turn of a login', () => {
  it('is over once a logout that came behind it has ended', () => {
    const [login, logout] = inOrder();
    expect(() => login.enter(undefined)).not.toThrow();
    logout.leave();
    expect(() => login.enter(undefined)).toThrow('The connection was logged out while this login was on its way');
  });

  it('is not over for a logout that came before it, or is of another connection', () => {
    const connection = {};
    const logout = new Turn(connection);
    const login = new Turn(connection);
    logout.leave();
    new Turn({}).leave();
    expect(() => login.enter(undefined)).not.toThrow();
  });

  it('is over too for one that was refused because nobody is logged in yet', () => {
    const [login, logout] = inOrder();
    logout.leave(new NotAuthenticated());
    expect(() => login.enter(undefined)).toThrow(expect.objectContaining({ code: 409 }));
  });

  it.each([
    ['failed', {}, new Unavailable()],
    ['was refused to whoever is logged in', { authentication: { strategy: 'jwt' } }, new NotAuthenticated()],
  ])('is not over for one that %s', (_what, connection, error) => {
    const [login, logout] = inOrder(connection);
    logout.leave(error);
    expect(() => login.enter(undefined)).not.toThrow();
  });

  it('is over for a logout that overtook another one', () => {
    const connection = {};
    const [login, first, second] = [new Turn(connection), new Turn(connection), new Turn(connection)];
    second.leave();
    first.leave();
    expect(() => login.enter(undefined)).toThrow('was logged out');
    const between = new Turn(connection);
    expect(() => between.enter(undefined)).not.toThrow();
  });

  it.each([
    ['somebody else', { id: '2' }, true],
    ['a user of the same id of another service', { service: {} }, true],
    ['nobody who is named', undefined, true],
    ['the same user', {}, false],
  ])('is over for a login that came behind it and was let in of %s', (_whose, other, isOver) => {
    const user = { service: {}, id: '1' };
    const [first, second] = inOrder();
    second.enter(other && { ...user, ...other });
    const enter = (): void => first.enter(user);
    if (isOver) expect(enter).toThrow('Somebody else was logged in over the connection');
    else expect(enter).not.toThrow();
  });

  it('is not over for a login that came before it', () => {
    const [first, second] = inOrder();
    first.enter({ service: first, id: '1' });
    expect(() => second.enter({ service: first, id: '2' })).not.toThrow();
  });
});
