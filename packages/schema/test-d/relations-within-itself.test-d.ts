// Compiled by the type check, never run: relations of what contains itself.
import {
  Hidden,
  Nullable,
  Reference,
  serviceSchema,
  Type,
  type DataType,
  type ExternalRecordType,
  type QueryType,
  type RecordType,
} from '../src/index.ts';

const owners = serviceSchema({ record: Type.Object({ id: Type.Integer(), name: Type.String(), pin: Hidden(Type.String()) }) });
const ownerId = Reference('owners', { as: 'owner', id: Type.Integer(), record: owners });
const Part = Type.Recursive((This) =>
  Type.Object({
    ownerId,
    secret: Hidden(Type.String()),
    parts: Type.Array(This),
    left: Type.Optional(This),
    right: Nullable(This),
    inside: Type.Object({ sub: Type.Array(This) }),
  }),
);
const things = serviceSchema({ record: Type.Object({ id: Type.Integer(), root: Part, other: Type.Optional(Nullable(Part)) }) });

// Records have them at each level.
declare const thing: RecordType<typeof things>;
export const pins: (string | undefined)[] = [
  thing.root.owner?.pin,
  thing.root.parts[0]?.owner?.pin,
  thing.root.parts[0]?.left?.owner?.pin,
  thing.root.right?.right?.owner?.pin,
  thing.root.inside.sub[0]?.owner?.pin,
  thing.other?.left?.owner?.pin,
];
export const left: (typeof thing)['root']['parts'] = thing.root.left ? [thing.root.left] : [];
// @ts-expect-error no such relation
void thing.root.parts[0]?.author;
// @ts-expect-error may be left out
void thing.root.left.owner;

declare const shown: ExternalRecordType<typeof things>;
export const names: (string | undefined)[] = [
  shown.root.owner?.name,
  shown.root.parts[0]?.left?.owner?.name,
  shown.root.right?.inside.sub[0]?.owner?.name,
  shown.other?.left?.owner?.name,
];
// @ts-expect-error what is behind a relation hides the same
void shown.root.parts[0]?.owner?.pin;
// @ts-expect-error hidden at each level
void shown.root.left?.secret;

// Callers ask for them through each property once, as deep as a path may go.
export const query: QueryType<typeof things> = {
  $populate: [
    'root.owner',
    'root.parts.owner',
    'root.left.right.owner',
    'root.inside.sub.left.owner',
    'other.owner',
    'other.left.owner.anything',
  ],
  $select: ['id', 'root.parts.owner.name'],
};
// @ts-expect-error through the same property again
export const again: QueryType<typeof things> = { $populate: 'root.parts.parts.owner' };
// @ts-expect-error through the same property further inside
export const againInside: QueryType<typeof things> = { $populate: 'root.inside.sub.inside.sub.owner' };
// @ts-expect-error deeper than a path may go
export const tooDeep: QueryType<typeof things> = { $populate: 'root.left.right.parts.inside.sub.owner' };
// @ts-expect-error a property that holds an id is no relation
export const key: QueryType<typeof things> = { $populate: 'root.left.ownerId' };
export const data: DataType<typeof things> = {
  root: { ownerId: 1, secret: 's', parts: [{ ownerId: 2, parts: [], right: null, inside: { sub: [] } }], right: null, inside: { sub: [] } },
};
// @ts-expect-error what is populated is not sent
export const populated: DataType<typeof things> = { root: { ...data.root, owner: null } };

// The record itself may be what contains itself.
const folders = serviceSchema({
  record: Type.Recursive((This) => Type.Object({ id: Type.Integer(), ownerId, inner: Type.Array(This) })),
});
declare const folder: RecordType<typeof folders>;
export const ofFolder: (string | undefined)[] = [folder.owner?.name, folder.inner[0]?.inner[0]?.owner?.name];
export const ofFolders: QueryType<typeof folders> = { $populate: ['owner', 'inner.owner'] };
// @ts-expect-error through the same property again
export const tooFar: QueryType<typeof folders> = { $populate: 'inner.inner.owner' };

// Without relations it stays what it is.
const trees = serviceSchema({
  record: Type.Object({ id: Type.Integer(), tree: Type.Recursive((This) => Type.Object({ parts: Type.Array(This) })), ownerId }),
});
declare const tree: RecordType<typeof trees>;
export const parts: number | undefined = tree.tree.parts[0]?.parts.length;
// @ts-expect-error no relation in there
export const noPart: QueryType<typeof trees> = { $populate: 'tree.owner' };
