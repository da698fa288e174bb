// Compiled by the type check, never run: what callers outside get of a record.
import {
  Default,
  Field,
  Hidden,
  Nullable,
  ReadOnly,
  Reference,
  serviceSchema,
  Type,
  WriteOnly,
  type ExternalRecordType,
  type QueryType,
  type RecordType,
  type Static,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = { [K in keyof T]: T[K] };

const plain = serviceSchema({ record: Type.Object({ _id: Type.String(), at: Type.Optional(Type.Integer()) }) });
export const same: Same<ExternalRecordType<typeof plain>, { at?: number; _id: string }> = true;

const users = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    password: Type.Optional(WriteOnly(Type.String())),
    token: Hidden(Type.String()),
    salary: Field(Type.Integer(), { readable: () => true }),
    nothing: Nullable(Hidden(Type.String())),
    address: Type.Object({ city: Type.String(), secret: Hidden(Type.String()) }),
    keys: Type.Array(Type.Object({ id: Type.String(), digest: Hidden(Type.String()) })),
  }),
});
type User = ExternalRecordType<typeof users>;
export const shown: Same<Flat<User>['name'], string> = true;
declare const user: User;
export const salary: number | undefined = user.salary;
export const city: string = user.address.city;
export const key: string | undefined = user.keys[0]?.id;
// @ts-expect-error who does not see it gets none
export const always: number = user.salary;
// @ts-expect-error never sent
void user.password;
// @ts-expect-error hidden
void user.token;
// @ts-expect-error hidden, also where it may be null
void user.nothing;
// @ts-expect-error hidden inside
void user.address.secret;
// @ts-expect-error hidden inside of a list
void user.keys[0]?.digest;

const Secret = Type.Object({ city: Type.String(), secret: Hidden(Type.String()) });
const people = serviceSchema({
  record: Type.Object({
    maybe: Nullable(Secret),
    left: Type.Optional(Nullable(Secret)),
    either: Type.Union([Secret, Type.Object({ land: Type.String() })]),
    both: Type.Intersect([Secret, Type.Object({ land: Type.String() })]),
    pair: Type.Tuple([Secret, Type.Integer()]),
    byName: Type.Record(Type.String(), Secret),
    lists: Type.Array(Nullable(Type.Array(Secret))),
    plain: Type.Union([Type.Object({ a: Type.String() }), Type.Null()]),
  }),
});
type Person = ExternalRecordType<typeof people>;
declare const person: Person;
type City = { city: string };
export const maybe: City | null = person.maybe;
export const left: City | null | undefined = person.left;
export const either: City | { land: string } = person.either;
export const both: City & { land: string } = person.both;
export const pair: [City, number] = person.pair;
export const byName: City | undefined = person.byName.home;
export const lists: City | undefined = person.lists[0]?.[0];
export const unchanged: Same<Person['plain'], { a: string } | null> = true;
// @ts-expect-error hidden in what may be null
void person.maybe?.secret;
// @ts-expect-error hidden in what may be null or left out
void person.left?.secret;
// @ts-expect-error hidden in an alternative
void (person.either as Exclude<Person['either'], { land: string }>).secret;
// @ts-expect-error hidden in a part
void person.both.secret;
// @ts-expect-error hidden in an element of a tuple
void person.pair[0].secret;
// @ts-expect-error hidden in a record by names
void person.byName.home?.secret;
// @ts-expect-error hidden in lists of lists that may be null
void person.lists[0]?.[0]?.secret;

const posts = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    authorId: Reference('users', { as: 'author', record: users }),
    readerIds: Type.Array(Reference('users', { as: 'readers', record: users })),
  }),
});
declare const post: ExternalRecordType<typeof posts>;
export const author: string | undefined = post.author?.name;
export const reader: string | undefined = post.readers?.[0]?.name;
// @ts-expect-error what is behind a relation hides the same
void post.author?.token;
// @ts-expect-error in a list too
void post.readers?.[0]?.password;
// @ts-expect-error code of the server queries what is hidden; callers outside do not
export const query: NonNullable<(typeof users)['types']>['external']['query'] = { token: 'a' };
export const own: QueryType<typeof users> = { token: 'a' };

// A record that contains itself hides the same at each level.
const Tree = Type.Recursive((This) =>
  Type.Object({
    name: Type.String(),
    secret: Hidden(Type.String()),
    parts: Type.Array(This),
    maybe: Nullable(This),
    left: Type.Optional(This),
    byName: Type.Record(Type.String(), This),
    either: Type.Union([This, Type.Object({ land: Type.String() })]),
    pair: Type.Tuple([This, Type.Integer()]),
  }),
);
const trees = serviceSchema({ record: Type.Object({ _id: Type.String(), tree: Tree, other: Type.Optional(Nullable(Tree)) }) });
declare const tree: ExternalRecordType<typeof trees>['tree'];
export const treeNames: (string | undefined)[] = [
  tree.name,
  tree.parts[0]?.parts[0]?.name,
  tree.maybe?.left?.name,
  tree.byName.a?.pair[0].name,
  'land' in tree.either ? tree.either.land : tree.either.name,
];
// @ts-expect-error hidden at the first level
void tree.secret;
// @ts-expect-error hidden in a list of itself
void tree.parts[0]?.secret;
// @ts-expect-error hidden further inside
void tree.parts[0]?.parts[0]?.maybe?.secret;
// @ts-expect-error hidden in what may be left out
void tree.left?.secret;
// @ts-expect-error hidden by names
void tree.byName.a?.secret;
// @ts-expect-error hidden in an element of a tuple
void tree.pair[0].secret;
// @ts-expect-error hidden in an alternative
void (tree.either as Exclude<typeof tree.either, { land: string }>).secret;
declare const otherTree: ExternalRecordType<typeof trees>['other'];
// @ts-expect-error hidden in a tree that may be left out, or null
void otherTree?.secret;
declare const storedTree: RecordType<typeof trees>;
export const treeSecret: string | undefined = storedTree.tree.parts[0]?.secret;
const folders = serviceSchema({
  record: Type.Recursive((This) => Type.Object({ id: Type.String(), pin: Hidden(Type.String()), inner: Type.Array(This) })),
});
declare const folder: ExternalRecordType<typeof folders>;
export const innerFolder: string | undefined = folder.inner[0]?.inner[0]?.id;
// @ts-expect-error hidden in a record that contains itself
void folder.pin;
// @ts-expect-error hidden in what it contains
void folder.inner[0]?.pin;
const open = Type.Recursive((This) => Type.Object({ name: Type.String(), parts: Type.Array(This) }));
const opens = serviceSchema({ record: Type.Object({ tree: open }) });
export const untouched: Same<ExternalRecordType<typeof opens>['tree'], Static<typeof open>> = true;
// With other marks around it, or without.
const marked = serviceSchema({
  record: Type.Object({
    left: Type.Optional(Tree),
    kept: Type.Readonly(Type.Optional(Tree)),
    shown: ReadOnly(Tree),
    ruled: Field(Tree, { readable: () => true }),
    mixed: Type.Optional(Field(ReadOnly(Tree), { readable: () => true })),
    filled: Default(Type.Array(Type.Optional(Tree)), []),
    gone: Hidden(Tree),
  }),
});
declare const marks: ExternalRecordType<typeof marked>;
export const markedNames: (string | undefined)[] = [
  marks.left?.parts[0]?.name,
  marks.kept?.parts[0]?.name,
  marks.shown.parts[0]?.name,
  marks.ruled?.parts[0]?.name,
  marks.mixed?.parts[0]?.name,
  marks.filled[0]?.parts[0]?.name,
];
// @ts-expect-error hidden in a tree that may be left out
void marks.left?.secret;
// @ts-expect-error hidden in what it contains
void marks.left?.parts[0]?.secret;
// @ts-expect-error hidden in a tree that is read-only, and may be left out
void marks.kept?.parts[0]?.secret;
// @ts-expect-error hidden in a tree that is read-only
void marks.shown.parts[0]?.secret;
// @ts-expect-error hidden in a tree that some see
void marks.ruled?.parts[0]?.secret;
// @ts-expect-error hidden in a tree with several marks
void marks.mixed?.parts[0]?.secret;
// @ts-expect-error hidden in a list of trees
void marks.filled[0]?.secret;
// @ts-expect-error hidden as a whole
void marks.gone;

// What some see has the rest of its own marks.
const paid = serviceSchema({
  record: Type.Object({ pay: Field(Type.Object({ sum: Type.Integer(), account: Hidden(Type.String()) }), { readable: () => true }) }),
});
declare const paidUser: ExternalRecordType<typeof paid>;
export const sum: number | undefined = paidUser.pay?.sum;
// @ts-expect-error hidden in what some see
void paidUser.pay?.account;

// What may be null of what contains itself is known to the server too.
export const maybes: (string | undefined)[] = [storedTree.tree.maybe?.secret, storedTree.tree.maybe?.maybe?.name];
