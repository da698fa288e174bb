// Compiled by the type check, never run: lists and conditions of queries.
import { Reference, serviceSchema, StringEnum, Type, type QueryConditions, type QueryType, type RecordType } from '../src/index.ts';

const kinds = ['news', 'blog'] as const;
const posts = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    kind: StringEnum(kinds),
    tags: Type.Array(Type.String()),
    authorId: Reference('users', { as: 'author', id: Type.Integer() }),
    place: Type.Object({ city: Type.String() }),
  }),
  extensions: { $root: { $search: Type.String() } },
});
type Query = QueryType<typeof posts>;

// Lists that nobody may change are lists too.
const ids: readonly number[] = [1, 2];
const selected = ['id', 'place.city'] as const;
const related = ['author'] as const;
export const query: Query = {
  kind: { $in: kinds },
  id: { $nin: ids },
  'place.city': { $in: ['Rome'] as const },
  tags: ['a', 'b'] as const,
  $select: selected,
  $populate: related,
  $or: [{ kind: 'news' }, { $and: [{ id: { $in: ids } }] }] as const,
};
// @ts-expect-error none of the kinds
export const wrongKind: Query = { kind: { $in: ['book'] as const } };
// @ts-expect-error no such property
export const wrongSelect: Query = { $select: ['id', 'nothing'] as const };

// In a condition there are no filters: they are for the whole query.
const condition: QueryConditions<RecordType<typeof posts>> = { kind: 'news', $or: [{ 'place.city': 'Rome' }] };
export const conditional: Query = { $and: [condition], $limit: 5, $search: 'a' };
// @ts-expect-error a limit of a part of the conditions
export const partLimit: Query = { $or: [{ $limit: 5 }] };
// @ts-expect-error an order of a part of the conditions
export const partSort: Query = { $and: [{ $sort: { id: 1 } }] };
// @ts-expect-error what is selected by a part of the conditions
export const partSelect: Query = { $or: [{ $and: [{ $select: ['id'] }] }] };
// @ts-expect-error a further filter in a part of the conditions
export const partSearch: Query = { $or: [{ $search: 'a' }] };
