import { describe, expect, it } from '@jest/globals';
import { Field, getDispatch, Hidden, Nullable, serviceSchema, Type, WriteOnly } from '../../src/index.ts';

const card = Type.Object({ label: Type.String(), number: Hidden(Type.String()) });
const tree = Type.Recursive((This) => Type.Object({ name: Type.String(), pin: Hidden(Type.String()), children: Type.Array(This) }));
const { shape } = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    auth: Type.Object({ password: WriteOnly(Type.String()), since: Type.Integer() }),
    cards: Nullable(Type.Array(card)),
    byName: Type.Record(Type.String(), card),
    pair: Type.Tuple([Type.String(), card]),
    grid: Type.Array(Type.Array(card)),
    pay: Type.Object({ amount: Field(Type.Integer(), { readable: ({ role }: { role?: string }) => role === 'admin' }) }),
    vault: Hidden(Type.Object({ key: Type.String() })),
    tree,
    open: Type.Object({ any: Type.Integer() }),
  }),
});
const CARD = { label: 'a', number: 'SECRET' };
const leafOf = (name: string, ...children: object[]): object => ({ name, pin: 'SECRET', children });

const user = () => ({
  id: 1,
  auth: { password: 'SECRET', since: 1 },
  cards: [{ ...CARD }, { ...CARD }],
  byName: { first: { ...CARD } },
  pair: ['p', { ...CARD }] as const,
  grid: [[{ ...CARD }]],
  pay: { amount: 5 },
  vault: { key: 'SECRET' },
  tree: leafOf('root', leafOf('child')) as { readonly children: readonly object[] },
  open: { any: 1 },
});
const remembered = (): ReturnType<typeof user> => {
  const record = user();
  shape.remember(record);
  return record;
};

describe('a part of a record that is put somewhere else', () => {
  const shown = { label: 'a' };
  it.each<[string, (record: ReturnType<typeof user>) => unknown, unknown]>([
    ['an object', ({ auth }) => auth, { since: 1 }],
    ['a list', ({ cards }) => cards, [shown, shown]],
    ['an element', ({ cards }) => cards[1], shown],
    ['a record of records', ({ byName }) => byName, { first: shown }],
    ['a value of one', ({ byName }) => byName.first, shown],
    ['a tuple', ({ pair }) => pair, ['p', shown]],
    ['an element of a tuple', ({ pair }) => pair[1], shown],
    ['a list of a list', ({ grid }) => grid[0], [shown]],
    ['what depends on who asks', ({ pay }) => pay, {}],
    ['what contains itself', (record) => record.tree, { name: 'root', children: [{ name: 'child', children: [] }] }],
    ['what is in it', (record) => record.tree.children[0], { name: 'child', children: [] }],
    ['what is hidden as a whole', ({ vault }) => vault, undefined],
    ['what has no secrets', ({ open }) => open, { any: 1 }],
  ])('keeps its rules: %s', (_title, take, expected) => {
    expect(getDispatch({ part: take(remembered()) })).toEqual({ part: expected });
    expect(getDispatch({ list: [take(remembered())] })).toEqual({ list: [expected] });
    const everywhere = { of: [user()] };
    shape.rememberEverywhere(everywhere);
    expect(getDispatch({ part: take(everywhere.of[0]!) })).toEqual({ part: expected });
    // A copy of the record has the same parts.
    expect(getDispatch({ copy: { part: take({ ...remembered() }) } })).toEqual({ copy: { part: expected } });
  });

  it('is shown to whom its rules show it, and its record as before', () => {
    const { pay } = remembered();
    expect(getDispatch({ pay }, { params: { role: 'admin' } })).toEqual({ pay: { amount: 5 } });
    expect(shape.redact(remembered(), { params: {} })).toEqual(shape.redact(user(), { params: {} }));
    expect(JSON.stringify(remembered())).toBe(JSON.stringify(user()));
  });
});
