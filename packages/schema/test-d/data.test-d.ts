// Compiled by the type check, never run: what is sent of a record.
import { type } from 'arktype';
import { z } from 'zod';
import {
  DateSchema,
  Default,
  getDataValidator,
  Hidden,
  Nullable,
  ReadOnly,
  serviceSchema,
  StringEnum,
  Type,
  WriteOnly,
  type DataType,
  type ExternalRecordType,
  type PatchType,
  type RecordType,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const plain = serviceSchema({ record: Type.Object({ _id: Type.String(), name: Type.String(), at: Type.Optional(Type.Integer()) }) });
export const same: Same<DataType<typeof plain>, { at?: number; name: string }> = true;

const users = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    password: WriteOnly(Type.String()),
    token: Hidden(Type.String()),
    seed: Hidden(WriteOnly(Type.String())),
    createdAt: ReadOnly(DateSchema()),
    updatedAt: Type.Readonly(Type.Optional(Type.Number())),
    checkedAt: Nullable(ReadOnly(DateSchema())),
    nick: Type.Optional(Type.String()),
    address: Type.Object({ city: Type.String(), secret: Hidden(Type.String()), since: Type.Readonly(Type.Number()) }),
    keys: Type.Array(Type.Object({ id: Type.String(), digest: Hidden(Type.String()), usedAt: ReadOnly(Type.Number()) })),
  }),
});
type Data = DataType<typeof users>;
export const sent: Data = { name: 'Ann', password: 'x', seed: 'y', address: { city: 'Rome' }, keys: [{ id: 'k' }] };
// The server may set what is hidden.
export const set: Data = { ...sent, token: 't', address: { city: 'Rome', secret: 's' }, keys: [{ id: 'k', digest: 'd' }], nick: 'A' };
export const patched: PatchType<typeof users> = { address: { city: 'Rome' } };
// @ts-expect-error a property is missing
export const incomplete: Data = { password: 'x', seed: 'y', address: { city: 'Rome' }, keys: [] };
// @ts-expect-error a property is missing inside
export const inside: Data = { ...sent, address: {} };
// @ts-expect-error read-only properties are not sent
export const withTime: Data = { ...sent, createdAt: new Date() };
// @ts-expect-error read-only, also where it may be null
export const withCheck: Data = { ...sent, checkedAt: null };
// @ts-expect-error read-only inside of a list
export const withUse: Data = { ...sent, keys: [{ id: 'k', usedAt: 1 }] };
// @ts-expect-error a value of another type
export const wrong: Data = { ...sent, token: 5 };

const Place = Type.Object({ city: Type.String(), secret: Hidden(Type.String()), since: ReadOnly(Type.Number()) });
const people = serviceSchema({
  record: Type.Object({
    maybe: Nullable(Place),
    left: Type.Optional(Nullable(Place)),
    either: Type.Union([Place, Type.Object({ land: Type.String() })]),
    both: Type.Intersect([Place, Type.Object({ land: Type.String() })]),
    pair: Type.Tuple([Place, Type.Integer()]),
    byName: Type.Record(Type.String(), Place),
  }),
});
type Person = DataType<typeof people>;
const place = { city: 'Rome' };
export const person: Person = { maybe: place, either: place, both: { ...place, land: 'IT' }, pair: [place, 1], byName: { home: place } };
export const other: Person = { ...person, maybe: null, left: null, either: { land: 'IT' }, byName: {} };
// @ts-expect-error read-only in what may be null
export const withSince: Person = { ...person, maybe: { city: 'Rome', since: 1 } };
// @ts-expect-error a property is missing in an element of a tuple
export const withoutCity: Person = { ...person, pair: [{}, 1] };

// What has a default may be left out, and records have it.
const drafts = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    public: Default(Type.Boolean(), false),
    kind: StringEnum(['news', 'blog'], { default: 'blog' }),
    note: Default(Nullable(Type.String()), null),
    mood: Nullable(Default(Type.String(), 'calm')),
    made: ReadOnly(Default(Type.Integer(), 0)),
    seen: Hidden(Default(Type.Integer(), 0)),
    key: WriteOnly(Default(Type.String(), 'k')),
    place: Type.Object({ city: Type.String(), land: Default(Type.String(), 'IT') }),
    stops: Default(Type.Array(Type.Object({ at: Type.String(), minutes: Default(Type.Integer(), 5) })), []),
    either: Type.Union([Type.Object({ a: Default(Type.Integer(), 1) }), Type.Null()]),
  }),
});
type Draft = DataType<typeof drafts>;
export const draft: Draft = { title: 'a', place: { city: 'Rome' }, either: {} };
export const whole: Draft = {
  ...draft,
  public: true,
  kind: 'news',
  note: 'n',
  mood: null,
  key: 'x',
  seen: 5,
  stops: [{ at: 'Pisa' }],
  either: null,
};
declare const stored: RecordType<typeof drafts>;
export const always: [boolean, 'news' | 'blog', string, number] = [stored.public, stored.kind, stored.place.land, stored.seen];
declare const shown: ExternalRecordType<typeof drafts>;
export const alwaysShown: [boolean, string] = [shown.public, shown.place.land];
// @ts-expect-error what has no default is asked for
export const untitled: Draft = { place: { city: 'Rome' }, either: null };
// @ts-expect-error inside too
export const nowhere: Draft = { title: 'a', place: {}, either: null };
// @ts-expect-error a value of another type
export const notPublic: Draft = { ...draft, public: 'no' };
// @ts-expect-error read-only, with a default or without
export const remade: Draft = { ...draft, made: 1 };
// @ts-expect-error a default of another type
Default(Type.Boolean(), 'no');
// @ts-expect-error none of the texts
StringEnum(['news', 'blog'], { default: 'book' });

// Records that are put together, or of several kinds.
const Animal = Type.Object({ _id: Type.String(), name: Type.String(), since: ReadOnly(Type.Number()) });
const cats = serviceSchema({ record: Type.Intersect([Animal, Type.Object({ lives: Default(Type.Integer(), 9), claws: Type.Boolean() })]) });
export const cat: DataType<typeof cats> = { name: 'Tom', claws: true };
export const catPatch: PatchType<typeof cats> = { lives: 8 };
// @ts-expect-error a property is missing
export const clawless: DataType<typeof cats> = { name: 'Tom' };
// @ts-expect-error ids are not sent
export const namedCat: DataType<typeof cats> = { name: 'Tom', claws: true, _id: '1' };
// @ts-expect-error read-only properties are not sent
export const oldCat: DataType<typeof cats> = { name: 'Tom', claws: true, since: 1 };
const pets = serviceSchema({
  record: Type.Union([
    Type.Object({ _id: Type.String(), kind: Type.Literal('dog'), barks: Type.Boolean() }),
    Type.Object({ _id: Type.String(), kind: Type.Literal('fish'), water: Default(Type.String(), 'salt') }),
  ]),
});
export const dog: DataType<typeof pets> = { kind: 'dog', barks: true };
export const fish: DataType<typeof pets> = { kind: 'fish' };
// @ts-expect-error a property of this kind is missing
export const silent: DataType<typeof pets> = { kind: 'dog' };

// The types of other libraries do not tell what is read-only: anything may be left out, but what is there is what they take.
const zodUsers = serviceSchema({
  record: z.object({ id: z.number(), name: z.string(), since: z.date().meta({ readOnly: true }), kind: z.string().default('x') }),
});
export const zodUser: DataType<typeof zodUsers> = { name: 'Ann' };
export const zodKind: PatchType<typeof zodUsers> = { kind: 'y' };
// @ts-expect-error a value of another type
export const zodWrong: DataType<typeof zodUsers> = { name: 5 };
// @ts-expect-error no such property
export const zodUnknown: DataType<typeof zodUsers> = { nme: 'Ann' };
// @ts-expect-error ids are not sent
export const zodId: DataType<typeof zodUsers> = { name: 'Ann', id: 1 };
// @ts-expect-error a value of another type in a change
export const zodWrongPatch: PatchType<typeof zodUsers> = { kind: 5 };
const arkUsers = serviceSchema({ record: type({ id: 'number', name: 'string', 'age?': 'number' }) });
export const arkUser: DataType<typeof arkUsers> = { name: 'Ann', age: 5 };
// @ts-expect-error a value of another type
export const arkWrong: DataType<typeof arkUsers> = { name: 5 };

// What contains itself leaves the same out at each level.
const Tree = Type.Recursive((This) =>
  Type.Object({
    name: Type.String(),
    secret: Hidden(Type.String()),
    since: ReadOnly(Type.Number()),
    size: Default(Type.Integer(), 1),
    parts: Type.Array(This),
    either: Type.Union([This, Type.Null()]),
  }),
);
const trees = serviceSchema({ record: Type.Object({ _id: Type.String(), tree: Tree }) });
type TreeData = DataType<typeof trees>;
export const tree: TreeData = {
  tree: { name: 'a', either: null, parts: [{ name: 'b', size: 5, parts: [], either: { name: 'c', parts: [], either: null } }] },
};
// @ts-expect-error a property is missing further inside
export const noParts: TreeData = { tree: { name: 'a', either: null, parts: [{ name: 'b', either: null }] } };
// @ts-expect-error read-only further inside
export const sinceInside: TreeData = { tree: { name: 'a', either: null, parts: [{ name: 'b', parts: [], either: null, since: 1 }] } };
const folders = serviceSchema({
  record: Type.Recursive((This) =>
    Type.Object({ id: Type.String(), name: Type.String(), pin: Hidden(Type.String()), inner: Type.Array(This) }),
  ),
});
export const folder: DataType<typeof folders> = { name: 'a', inner: [{ id: 'b', name: 'b', inner: [] }] };
// @ts-expect-error a property is missing
export const nameless: DataType<typeof folders> = { inner: [] };
const marked = serviceSchema({
  record: Type.Object({ left: Type.Optional(Tree), set: WriteOnly(Tree), filled: Default(Nullable(Tree), null) }),
});
export const branch: DataType<typeof marked> = {
  left: { name: 'a', either: null, parts: [] },
  set: { name: 'a', either: null, parts: [{ name: 'b', either: null, parts: [] }] },
};
// @ts-expect-error a property is missing further inside
export const noBranch: DataType<typeof marked> = { ...branch, left: { name: 'a', either: null, parts: [{ name: 'b' }] } };
// @ts-expect-error read-only further inside
export const branchSince: DataType<typeof marked> = { ...branch, left: { name: 'a', either: null, parts: [], since: 1 } };

// One schema, or one for each method that takes data.
getDataValidator(Type.Object({ name: Type.String() }));
getDataValidator({ type: 'object', properties: { create: { type: 'boolean' } } });
getDataValidator(z.object({ create: z.string() }));
getDataValidator(type({ name: 'string' }));
getDataValidator({ create: z.object({}), patch: type({}) });
getDataValidator({ create: { type: 'object' }, update: Type.Object({}), patch: undefined });
declare const either: { type: 'object' } | { create: { type: 'object' } };
getDataValidator(either);
// @ts-expect-error a misspelt method
getDataValidator({ create: Type.Object({}), ptach: Type.Object({}) });
