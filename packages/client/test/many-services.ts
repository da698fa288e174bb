/** The sources of an application of many services, and of a client that calls each of them. */
export interface ManyServices {
  readonly server: string;
  readonly client: string;
  /** As the client, without calling anything. */
  readonly bare: string;
}

/** @param count how many services */
export function manyServices(count: number): ManyServices {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const schema = (number: number): string => `const s${number} = serviceSchema({ record: Type.Object({
  id: Type.Integer(), name${number}: Type.String(), count: Type.Integer(), at: DateSchema(), tags: Type.Array(Type.String()),
  secret: Type.Optional(Hidden(Type.String())), inner: Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }) }) });
declare const v${number}: MemoryService<RecordType<typeof s${number}>, DataType<typeof s${number}>, Params, PatchType<typeof s${number}>>;`;
  const server = `import type { MemoryService } from '@framework/adapter-memory';
import { framework, type Params } from '@framework/core';
import { DateSchema, Hidden, serviceSchema, Type, type DataType, type PatchType, type RecordType } from '@framework/schema';
${numbers.map(schema).join('\n')}
export const app = framework()
${numbers.map((number) => `  .use('service${number}', v${number}, { schema: s${number}, methods: ['find', 'get', 'create', 'patch'] })`).join('\n')};
`;
  const call = (number: number): string => `export const r${number}: Promise<string> = client.service('service${number}').get(1).then(({ at }) => at);
void client.service('service${number}').find({ query: { name${number}: 'a', $sort: { at: 1 } } });
void client.service('service${number}').create({ name${number}: 'a', count: 1, at: new Date(), tags: [], inner: { a: 'b' } });`;
  const bare = `import { createClient, rest } from '@framework/client';
import type { app } from './server.ts';
export const client = createClient<typeof app>(rest(''));
`;
  return { server, bare, client: `${bare}${numbers.map(call).join('\n')}\n` };
}
