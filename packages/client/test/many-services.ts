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
  const service = (
    number: number,
  ): string => `interface R${number} { id: number; name${number}: string; count: number; at: Date; tags: string[]; inner: { a: string; b?: number } }
interface Q${number} { name${number}?: string | { $in?: string[] }; count?: number; $limit?: number; $sort?: { at?: 1 | -1 } }
declare class S${number} {
  find(params?: Params<Q${number}>): Promise<Paginated<R${number}>>;
  get(id: Id, params?: Params<Q${number}>): Promise<R${number}>;
  create(data: Omit<R${number}, 'id'>, params?: Params<Q${number}>): Promise<R${number}>;
  patch(id: Id, data: Partial<R${number}>, params?: Params<Q${number}>): Promise<R${number}>;
}
declare const v${number}: S${number};`;
  const server = `import { framework, type Id, type Paginated, type Params } from '@framework/core';
${numbers.map(service).join('\n')}
export const app = framework()
${numbers.map((number) => `  .use('service${number}', v${number}, { methods: ['find', 'get', 'create', 'patch'] })`).join('\n')};
`;
  const call = (
    number: number,
  ): string => `export const r${number}: Promise<string> = client.service('service${number}').get(1).then(({ at }) => at);
void client.service('service${number}').find({ query: { name${number}: 'a', $sort: { at: 1 } } });
void client.service('service${number}').create({ name${number}: 'a', count: 1, at: new Date(), tags: [], inner: { a: 'b' } });`;
  const bare = `import { createClient, rest } from '@framework/client';
import type { app } from './server.ts';
export const client = createClient<typeof app>(rest(''));
`;
  return { server, bare, client: `${bare}${numbers.map(call).join('\n')}\n` };
}
