import { afterAll, expect, it } from '@jest/globals';
import { CompiledTypes } from './compiled-types.ts';

const COUNT = 50;
const each = (line: (number: number) => string): string => Array.from({ length: COUNT }, (_, number) => line(number)).join('\n');

const IMPORTS = `
import { MemoryService, type MemoryParams } from '@framework/adapter-memory';
import { framework, type HookContext, type NextFunction } from '@framework/core';
import { ReadOnly, serviceSchema, Type, type DataType, type PatchType, type QueryType, type RecordType } from '@framework/schema';
import express from '@framework/transport-express';
export const log = async (context: HookContext): Promise<void> => void context.path;
export const around = async (_context: HookContext, next: NextFunction): Promise<void> => next();
`;
const INTERFACES = each(
  (n) => `interface R${n} { id: number; name${n}: string; count: number; at: string; tags: string[]; inner: { a: string; b?: number } }
class S${n} extends MemoryService<R${n}, Omit<R${n}, 'id'>> {}`,
);
const SCHEMAS = each(
  (n) => `const s${n} = serviceSchema({ record: Type.Object({
  id: ReadOnly(Type.Integer()), name${n}: Type.String(), count: Type.Integer(), at: Type.String({ format: 'date-time' }),
  tags: Type.Array(Type.String()), inner: Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }),
}) });
class S${n} extends MemoryService<RecordType<typeof s${n}>, DataType<typeof s${n}>, MemoryParams<QueryType<typeof s${n}>>, PatchType<typeof s${n}>> {}`,
);
/** Each type of a record has a name. */
const NAMED = SCHEMAS.replaceAll(
  /class (S\d+) extends MemoryService<(RecordType<typeof (s\d+)>), (DataType<[^>]+>), MemoryParams<(QueryType<[^>]+>)>, (PatchType<[^>]+>)>/g,
  `interface $3Record extends $2 {}
interface $3Data extends $4 {}
interface $3Query extends $5 {}
interface $3Patch extends $6 {}
class $1 extends MemoryService<$3Record, $3Data, MemoryParams<$3Query>, $3Patch>`,
);
const CALLS = each(
  (n) => `app.service('service${n}').hooks({
  around: { all: [around] },
  before: { all: [log], create: [log, (context) => void context.data], patch: [(context) => (context.id === null ? undefined : void context.params.query)] },
  after: { all: [(context) => void context.result], find: [(context) => void context.result] },
});
void app.service('service${n}').find({ query: { count: 1 } });
void app.service('service${n}').create({ name${n}: 'a', count: 1, at: '', tags: [], inner: { a: '' } });`,
);
const CHAINED = `export const app = express(framework())
${each((n) => `  .use('service${n}', new S${n}())`)};`;
const DECLARED = `interface Services {
${each((n) => `  service${n}: S${n};`)}
}
export const app = express(framework<Services>());
${each((n) => `app.use('service${n}', new S${n}(), { schema: s${n} });`)}`;

const types = new CompiledTypes(
  Object.fromEntries(
    Object.entries({
      'described by interfaces, registered one behind the other': [INTERFACES, CHAINED, CALLS],
      'described by schemas': [SCHEMAS, DECLARED, CALLS],
      'described by schemas whose types have names': [NAMED, DECLARED, CALLS],
    }).map(([what, parts]) => [what, [IMPORTS, ...parts].join('\n')]),
  ),
);
afterAll(() => types.remove());

// What a module has in common with those in front of it counts for them alone.
it.each([
  ['described by interfaces, registered one behind the other', 2500],
  ['described by schemas', 11_200],
  ['described by schemas whose types have names', 5_450],
])('an application of 50 services costs, for each with its hooks and calls, few instantiations: %s', (what, bound) => {
  const { errors, instantiations } = types.of('6.0', what);
  expect(errors).toBe('');
  const found = Math.round(instantiations / COUNT);
  console.log(`${found} instantiations for each service, ${what}`);
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(bound);
});
