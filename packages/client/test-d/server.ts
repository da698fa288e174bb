// A server, as far as types go: its services are never made.
import type { MemoryService } from '@framework/adapter-memory';
import { framework, type Id, type Paginated, type Params } from '@framework/core';
import {
  DateSchema,
  Field,
  Hidden,
  ObjectIdSchema,
  Reference,
  serviceSchema,
  Type,
  WriteOnly,
  type DataType,
  type PatchType,
  type RecordType,
} from '@framework/schema';

export const userSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    password: WriteOnly(Type.String()),
    token: Type.Optional(Hidden(Type.String())),
    salary: Field(Type.Integer(), { readable: () => true }),
    born: Type.Optional(DateSchema()),
    team: ObjectIdSchema(),
    address: Type.Object({ city: Type.String(), secret: Hidden(Type.String()) }),
  }),
});
export const postSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    text: Type.String(),
    kind: Type.Union([Type.Literal('news'), Type.Literal('blog')]),
    authorId: Reference('users', { as: 'author', id: Type.Integer(), record: userSchema }),
    tags: Type.Array(Type.String()),
    at: DateSchema(),
  }),
});

type Post = RecordType<typeof postSchema>;
declare const users: MemoryService<RecordType<typeof userSchema>, DataType<typeof userSchema>, Params, PatchType<typeof userSchema>>;
declare const posts: MemoryService<Post, DataType<typeof postSchema>, Params, PatchType<typeof postSchema>> & {
  publish(data: { id: Id; at?: Date }, params?: Params): Promise<{ at: Date; post: Post }>;
  ping(): Promise<'pong'>;
  secret(data: object): Promise<number>;
};

interface Plain {
  _id: { toHexString(): string; toJSON(): string };
  when: Date;
  size: bigint;
  nested: { at: Date; list: { at: Date }[]; tuple: [Date, number] };
  maybe?: Date;
  map: Map<string, Date>;
  set?: ReadonlySet<string>;
  run(): void;
  any: unknown;
  custom: { toJSON(): { a: number } };
}
interface PlainQuery {
  when?: Date | { $gt?: Date };
  $limit?: number;
}
declare class PlainService {
  find(params?: Params<PlainQuery>): Promise<Paginated<Plain>>;
  get(id: Id, params?: Params<PlainQuery>): Promise<Plain>;
  create(data: { when: Date; team: { toHexString(): string } }, params?: Params<PlainQuery>): Promise<Plain>;
  remove(id: Id): Promise<Plain>;
}
declare class LogService {
  find(): Promise<{ line: string }[]>;
}
declare class NodeService {
  get(id: Id): Promise<Tree>;
}
/** Each method gives and takes something else. */
declare class ReportService {
  find(): Promise<{ id: number; title: string }[]>;
  get(id: Id): Promise<{ id: number; title: string; body: string; at: Date }>;
  create(data: { title: string }): Promise<{ queued: boolean; until: Date }>;
  update(id: Id, data: { title: string; body: string }): Promise<{ version: number }>;
  patch(id: Id | null, data: { body?: string }): Promise<{ changed: number } | { changed: number }[]>;
  remove(id: Id): Promise<void>;
}
declare class MailService {
  create(data: { to: string }): Promise<{ sent: Date }>;
}
/** Each method is asked for something else. */
declare class SearchService {
  find(params?: Params<{ words?: string; $limit?: number }>): Promise<{ id: number }[]>;
  get(id: Id, params?: Params<{ language?: 'en' | 'de' }>): Promise<{ id: number }>;
  create(data: { words: string; at?: Map<string, number> }, params?: Params<{ dry?: boolean }>): Promise<{ id: number }>;
  update(id: Id, data: object, params?: Params<{ force?: boolean }>): Promise<{ id: number }>;
  remove(id: Id): Promise<{ id: number }>;
}
interface MailParams extends Params<{ later?: Date }> {
  user?: object;
}
declare class LetterService {
  create(data: { to: string }, params?: MailParams): Promise<string[]>;
}
/** May be called in several ways, of which the last does not take what the others do. */
declare class PrintService {
  find(params: Params & { paginate: false }): Promise<{ id: number; at: Date }[]>;
  find(params?: Params): Promise<Paginated<{ id: number; at: Date }>>;
  create(data: { pages: number }[], params?: Params): Promise<{ job: number }[]>;
  create(data: { pages: number }, params?: Params<{ dry?: boolean }>): Promise<{ job: number }>;
  patch(id: null, data: { pages: number }): Promise<{ job: number }[]>;
  patch(id: Id, data: { pages: number }): Promise<{ job: number }>;
  stop(data: { job: number }, params?: Params): Promise<Date>;
  stop(data: { name: string }): Promise<number>;
}
interface Tree {
  at: Date;
  children: Tree[];
}
declare const plain: PlainService;
declare const logs: LogService;
declare const nodes: NodeService;
declare const reports: ReportService;
declare const mails: MailService;
declare const searches: SearchService;
declare const letters: LetterService;
declare const prints: PrintService;
declare const rows: MemoryService<{ id: number; at: Date }>;

export const app = framework()
  .use('users', users, { schema: userSchema, methods: ['find', 'get', 'create', 'patch'] })
  .use('posts', posts, { schema: postSchema, methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'publish', 'ping'] })
  .use('plain', plain)
  .use('logs', logs)
  .use('nodes', nodes)
  .use('reports', reports)
  .use('mails', mails)
  .use('rows', rows)
  .use('searches', searches)
  .use('letters', letters)
  .use('prints', prints, { methods: ['find', 'create', 'patch', 'stop'] })
  .use('users/:userId/logs', logs)
  .use('api/v1', framework().use('inner', plain));

/** The same, declared and not inferred. */
export interface Declared {
  plain: PlainService;
  logs: LogService;
}
export const declared = framework<Declared>();
