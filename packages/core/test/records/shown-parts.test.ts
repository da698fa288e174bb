import { describe, expect, it } from '@jest/globals';
import { contributedRules, framework, originOf, PathRules, type Params } from '../../src/index.ts';
import { Redaction } from '../../src/records/redact.ts';

const outside = { provider: 'rest' };
const viewer = { params: outside };

interface User {
  readonly auth: { readonly password: string; readonly since: number };
  readonly cards: readonly { readonly label: string; readonly number: string }[];
  readonly profile: { readonly home: { readonly city: string; readonly door: string } };
  readonly open: object;
}
const user = (): User => ({
  auth: { password: 'SECRET', since: 1 },
  cards: [{ label: 'a', number: 'SECRET' }],
  profile: { home: { city: 'b', door: 'SECRET' } },
  open: { any: 1 },
});
const hidden = ['auth.password', 'cards.number', 'profile.home.door'];

/** What others see of a value that nothing describes. */
const foreign = (value: unknown): unknown => new Redaction(viewer).of(value, undefined);
const remembered = (): User => {
  const record = user();
  new PathRules().add({ hidden }).remember(record);
  return record;
};

describe('a part of a record that is put somewhere else', () => {
  it.each<[string, (record: User) => unknown, unknown]>([
    ['an object', ({ auth }) => auth, { since: 1 }],
    ['a list', ({ cards }) => cards, [{ label: 'a' }]],
    ['an element', ({ cards }) => cards[0], { label: 'a' }],
    ['what holds one', ({ profile }) => profile, { home: { city: 'b' } }],
    ['what lies deeper', ({ profile }) => profile.home, { city: 'b' }],
    ['what has nothing to hide', ({ open }) => open, { any: 1 }],
  ])('keeps its rules: %s', async (_title, take, shown) => {
    expect(foreign({ taken: take(remembered()) })).toEqual({ taken: shown });
    const app = framework();
    app.use(
      'users',
      {
        get: async (_id: unknown, _params?: Params) => user(),
        report: async () => ({ of: [user()] }),
        [contributedRules]: { hidden },
      } as never,
      { methods: ['get', 'report'] } as never,
    );
    const users = app.service('users') as unknown as { get(id: number): Promise<User>; report(data: object): Promise<{ of: User[] }> };
    app.use('posts', {
      get: async (id: unknown, _params?: Params) => ({ taken: take(id === 1 ? await users.get(1) : (await users.report({})).of[0]!) }),
    } as never);
    const posts = app.service('posts') as unknown as { get(id: number, params?: object): Promise<unknown> };
    for (const id of [1, 2]) {
      expect(await posts.get(id, outside)).toEqual({ taken: shown });
      expect(await posts.get(id)).toEqual({ taken: take(user()) });
    }
  });

  it('is not shown where a path that it is stored under leads through what is hidden', () => {
    const auth = { password: 'SECRET' };
    new PathRules().add({ hidden: ['of'] }).remember({ 'of.auth': auth });
    expect(foreign({ taken: auth })).toEqual({ taken: undefined });
  });

  it.each<[string, (auth: object) => object]>([
    ['a map', (auth) => new Map([['auth', auth]])],
    ['a list of records', (auth) => [{ auth }]],
    ['a set of records', (auth) => new Set([{ auth }])],
    ['an object of records by their number', (auth) => ({ 2024: { auth } })],
    ['a map of records by their number', (auth) => new Map([['2024', { auth }]])],
    ['one that has it under the name of its path', (auth) => ({ id: 1, 'of.auth': auth })],
    ['a map that has it so', (auth) => new Map([['of.auth', auth]])],
  ])('keeps its rules where the record is %s', (_title, recordOf) => {
    const auth = { password: 'SECRET', since: 1 };
    new PathRules().add({ hidden: [...hidden, 'of.auth.password'] }).remember(recordOf(auth));
    expect(foreign({ taken: auth })).toEqual({ taken: { since: 1 } });
  });

  it('has none where nothing of it is hidden', () => {
    const record = remembered();
    expect([originOf(record.open), originOf(record.auth)?.rules?.length]).toEqual([undefined, 1]);
  });

  it('is nothing where all of it is hidden', () => {
    const record = { id: 1, auth: { password: 'SECRET' }, list: [{ a: 1 }] };
    new PathRules().add({ hidden: ['auth', 'list'] }).remember(record);
    expect(foreign({ auth: record.auth, list: record.list, both: [record.auth] })).toEqual({
      auth: undefined,
      list: undefined,
      both: [undefined],
    });
  });

  it('has one rule of one kind, however often its record is read', () => {
    const rules = new PathRules().add({ hidden });
    const [record, other] = [user(), user()];
    for (const one of [record, record, other]) rules.remember(one);
    expect(originOf(record.auth)).toBe(originOf(other.auth));
    expect(originOf(record.auth)?.rules).toHaveLength(1);
  });

  it('keeps its rules when it was added to its record later', () => {
    const rules = new PathRules().add({ hidden });
    const record = { cards: [] as object[] };
    rules.remember(record);
    record.cards.push({ label: 'a', number: 'SECRET' });
    rules.remember(record);
    expect(foreign({ card: record.cards[0] })).toEqual({ card: { label: 'a' } });
  });

  it('follows rules that are added later', () => {
    const rules = new PathRules().add({ hidden: ['auth.password'] });
    rules.add({ hidden: ['auth.since'] });
    const record = user();
    rules.remember(record);
    expect(foreign({ auth: record.auth })).toEqual({ auth: {} });
  });

  it('may be in a map, a set or a frozen object, and contain its record', () => {
    const rules = new PathRules().add({ hidden: ['map.pin', 'set.pin', 'self.map.pin', 'frozen.pin'] });
    const record = { map: new Map([['pin', 1]]), set: new Set([{ pin: 1, a: 2 }]), frozen: Object.freeze({ pin: 1, a: 2 }), self: {} };
    record.self = record;
    rules.remember(record);
    const { map, set, frozen } = record;
    expect(foreign({ map, set, frozen, one: [...set][0] })).toEqual({
      map: new Map(),
      set: new Set([{ a: 2 }]),
      frozen: { a: 2 },
      one: { a: 2 },
    });
  });

  it('is looked into once where it stands in its record', () => {
    const rules = new PathRules().add({ hidden: ['a.pin'] });
    let reads = 0;
    const part = {
      pin: 1,
      get other() {
        reads += 1;
        return 2;
      },
    };
    const record = { a: part };
    rules.remember(record);
    reads = 0;
    expect(rules.redact(record, viewer)).toEqual({ a: { other: 2 } });
    expect(reads).toBe(1);
  });
});
