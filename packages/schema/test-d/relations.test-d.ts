// Compiled by the type check, never run: what a record names of others reaches the types of queries and results.
import { DocDbService, type DocDbParams } from '@framework/adapter-docdb';
import { framework, type Paginated } from '@framework/core';
import {
  Hidden,
  Nullable,
  Reference,
  serviceSchema,
  Type,
  type DataType,
  type ExternalRecordType,
  type PatchType,
  type QueryType,
  type RecordType,
} from '../src/index.ts';

interface Company {
  _id: string;
  title: string;
}
const userSchema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    companyId: Type.Optional(Reference('companies', { as: 'company', record: Type.Unsafe<Company>({}) })),
  }),
});
const postSchema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    text: Type.String(),
    authorId: Reference('users', { as: 'author', record: userSchema }),
    memberIds: Type.Array(Reference('users', { as: 'members', record: userSchema })),
    reviewerId: Nullable(Reference('users', { as: 'reviewer', record: userSchema })),
    kindId: Type.Optional(Reference('kinds', { as: 'kind', id: Type.Union([Type.Literal('a'), Type.Literal('b')]) })),
    productId: Reference('products', { as: 'product', id: Type.Integer() }),
    items: Type.Array(Type.Object({ count: Type.Integer(), userId: Reference('users', { as: 'user', record: userSchema }) })),
  }),
});
type Post = RecordType<typeof postSchema>;
type PostQuery = QueryType<typeof postSchema>;

declare const post: Post;
export const authorName: string | undefined = post.author?.name;
export const companyTitle: string | undefined = post.author?.company?.title;
export const memberNames: string[] | undefined = post.members?.map(({ name }) => name);
export const reviewerName: string | undefined = post.reviewer?.name;
export const userNames: (string | undefined)[] = post.items.map(({ user, count }) => user?.name ?? String(count));
export const anything: unknown = post.product?.whatever;
export const kind: 'a' | 'b' | undefined = post.kindId;
export const product: number = post.productId;
// @ts-expect-error a record that was not asked for, or is not seen, is not there
export const always: string = post.author.name;
// @ts-expect-error no such property of the other record
export const noProperty: unknown = post.author?.wrong;
// @ts-expect-error no such relation
export const noRelation: unknown = post.editor;

export const queries: PostQuery[] = [
  { $populate: 'author' },
  { $populate: ['author', 'members', 'reviewer', 'author.company', 'items.user', 'product'], $select: ['text', 'author.name'] },
  { authorId: '1', productId: { $in: [5] }, 'items.count': 5 } as PostQuery,
];
// @ts-expect-error no such relation
export const wrongPopulate: PostQuery = { $populate: ['wrong'] };
// @ts-expect-error a property that holds an id is no relation
export const keyPopulate: PostQuery = { $populate: 'authorId' };
// @ts-expect-error what is populated is not stored, and so not queried
export const populatedQuery: PostQuery = { author: { name: 'Ann' } };
// @ts-expect-error records without references take none
export const noPopulate: QueryType<typeof plain> = { $populate: ['author'] };
const plain = serviceSchema({ record: Type.Object({ _id: Type.String() }) });

// What is populated is not sent.
export const data: DataType<typeof postSchema> = { text: 'a', authorId: '1', memberIds: [], reviewerId: null, productId: 5, items: [] };
export const patch: PatchType<typeof postSchema> = { authorId: '2' };
// @ts-expect-error what is populated is not sent
export const populatedData: DataType<typeof postSchema> = { ...data, author: null };
// @ts-expect-error an id of another type
export const wrongId: PatchType<typeof postSchema> = { productId: '5' };

class PostsService extends DocDbService<Post, DataType<typeof postSchema>, DocDbParams<PostQuery>, PatchType<typeof postSchema>> {}
declare const Model: ConstructorParameters<typeof PostsService>[0]['Model'];
const posts = framework().use('posts', new PostsService({ Model }), { schema: postSchema }).service('posts');
export const found: Promise<Post[] | Paginated<Post>> = posts.find({ query: { $populate: ['author'] } });
export const made: Promise<Post> = posts.create(data, { query: { $populate: 'author' } });
// @ts-expect-error no such relation
void posts.get('1', { query: { $populate: ['wrong'] } });

// Relations are found wherever records are populated: in what may be null, in alternatives and parts, and at positions.
const owners = serviceSchema({ record: Type.Object({ _id: Type.String(), name: Type.String(), password: Hidden(Type.String()) }) });
const Owned = Type.Object({ ownerId: Reference('owners', { as: 'owner', record: owners }) });
const Land = Type.Object({ land: Type.String(), pin: Hidden(Type.String()) });
const things = serviceSchema({
  record: Type.Intersect([
    Owned,
    Type.Object({
      _id: Type.String(),
      userIds: Nullable(Type.Array(Reference('owners', { as: 'users', record: owners }))),
      guestId: Type.Union([Reference('owners', { as: 'guest', record: owners }), Type.Null()]),
      some: Nullable(Type.Array(Owned)),
      both: Type.Intersect([Owned, Land]),
      either: Type.Optional(Type.Union([Owned, Land])),
      pair: Type.Tuple([Owned, Type.Integer()]),
    }),
  ]),
});
declare const thing: RecordType<typeof things>;
export const passwords: (string | undefined)[] = [
  thing.owner?.password,
  thing.users?.[0]?.password,
  thing.guest?.password,
  thing.some?.[0]?.owner?.password,
  thing.both.owner?.password,
  thing.pair[0].owner?.password,
];
export const noUsers: (typeof thing)['users'] = null;
export const noSome: (typeof thing)['some'] = null;
export const two: number = thing.pair[1];
export const land: string = thing.both.land;
if (thing.either && 'ownerId' in thing.either) void thing.either.owner?.password;

declare const sent: ExternalRecordType<typeof things>;
export const names: (string | undefined)[] = [
  sent.owner?.name,
  sent.users?.[0]?.name,
  sent.guest?.name,
  sent.some?.[0]?.owner?.name,
  sent.both.owner?.name,
  sent.pair[0].owner?.name,
];
// @ts-expect-error what is behind a relation of a part hides the same
void sent.owner?.password;
// @ts-expect-error in a list that may be null too
void sent.some?.[0]?.owner?.password;
// @ts-expect-error at a position too
void sent.pair[0].owner?.password;
// @ts-expect-error what is hidden beside a relation stays so
void sent.both.pin;
export const places: QueryType<typeof things> = {
  $populate: ['owner', 'users', 'guest', 'some.owner', 'both.owner', 'either.owner', 'pair.owner'],
};
// @ts-expect-error no such relation in the list
export const wrongPlace: QueryType<typeof things> = { $populate: ['some.guest'] };
