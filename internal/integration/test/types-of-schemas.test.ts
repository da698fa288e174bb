import { afterAll, expect, it } from '@jest/globals';
import { CompiledTypes, VERSIONS } from './compiled-types.ts';

const SOURCE = `
import { MemoryService } from '@framework/adapter-memory';
import { framework, type HookContext } from '@framework/core';
import { Field, Hidden, Nullable, ReadOnly, Reference, serviceSchema, Type, WriteOnly, type ExternalRecordType, type RecordType } from '@framework/schema';
export const users = serviceSchema({ record: Type.Object({ id: Type.Integer(), name: Type.String() }) });
export const notes = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    userId: Reference('users', { as: 'user', id: Type.Integer() }),
    readerIds: Type.Array(Reference('users', { as: 'readers', id: Type.Integer(), record: users })),
  }),
});
export type Note = RecordType<typeof notes>;

// What is awaited of a record that refers to others, by itself and in hooks.
export declare const awaited: Awaited<Promise<Note>>;
export declare const external: Awaited<Promise<ExternalRecordType<typeof notes>>>;
export const names: (string | undefined)[] = [awaited.readers?.[0]?.name, external.readers?.[0]?.name];
class NoteService extends MemoryService<Note> {}
const declared = framework<{ notes: NoteService }>();
export const first = async (context: HookContext<unknown, NoteService, 'get'>): Promise<string | undefined> => context.result?.readers?.[0]?.name;
declared.service('notes').hooks({ after: { get: [async (context) => void context.result?.user?.anything] } });
// @ts-expect-error no such relation
awaited.editor;
// @ts-expect-error no such relation
(await declared.service('notes').get(1)).editor;
declare function expectThat<T = unknown>(given: T): { toThrow(): void };
expectThat(() => serviceSchema({ record: Type.Object({ names: Type.Array(Type.String()) }) })).toThrow();

// What is exported without a type, which the compiler has to name.
export const reference = Reference('users', { as: 'user' });
export const marks = [Nullable(reference), Nullable(Hidden(Type.String())), Nullable(WriteOnly(Type.String()))] as const;
export const others = [Nullable(ReadOnly(Type.String())), Nullable(Field(Type.String(), { readable: () => true })), Hidden(Nullable(Nullable(Type.String())))] as const;
export const app = framework().use('users', new MemoryService(), { schema: users }).use('notes', new MemoryService(), { schema: notes });
`;

const RECURSIVE = `
import { MemoryService, type MemoryParams } from '@framework/adapter-memory';
import { framework, type HookContext } from '@framework/core';
import { ReadOnly, serviceSchema, Type, type DataType, type ExternalRecordType, type PatchType, type QueryType, type RecordType } from '@framework/schema';
export interface Part { name: string; parts: Part[] }
const part = Type.Unsafe<Part>(Type.Recursive((Part) => Type.Object({ name: Type.String(), parts: Type.Array(Part) }), { $id: 'Part' }));
export const parts = serviceSchema({ record: part });
export const machines = serviceSchema({ record: Type.Object({ id: ReadOnly(Type.Integer()), root: part, spare: Type.Optional(Type.Array(part)) }) });
export class Machines extends MemoryService<RecordType<typeof machines>, DataType<typeof machines>, MemoryParams<QueryType<typeof machines>>, PatchType<typeof machines>> {}
export const app = framework().use('machines', new Machines(), { schema: machines }).use('parts', new MemoryService<RecordType<typeof parts>>(), { schema: parts });
export const deep = async () => (await app.service('machines').get(1)).root.parts[0];
export const given = (context: HookContext<typeof app, Machines, 'create'>) => context.data;
export const seen = (record: ExternalRecordType<typeof parts>) => ({ ...record });
export const asked = (query: QueryType<typeof machines>) => query.root;
// @ts-expect-error a name is a text
void app.service('machines').create({ root: { name: 'a', parts: [{ name: 5, parts: [] }] } });
`;

const types = new CompiledTypes({ related: SOURCE, recursive: RECURSIVE });
afterAll(() => types.remove());

it.each(VERSIONS)('TypeScript %s follows schemas to their end, and names all parts of them', (version) => {
  const { errors, declarations } = types.of(version, 'related');
  expect(errors).toBe('');
  expect(declarations).toContain('import("@framework/schema").LeadsTo<"user"');
});

// What has no name, and holds itself, no declaration can hold: the compiler writes any for it.
it.each(VERSIONS)('TypeScript %s writes what a recursive record is into declarations, where it has a name', (version) => {
  const { errors, declarations } = types.of(version, 'recursive');
  expect(errors).toBe('');
  expect(declarations).toContain('deep: () => Promise<Part | undefined>');
  expect(declarations.match(/.*\bany\b.*/g)).toBeNull();
});
