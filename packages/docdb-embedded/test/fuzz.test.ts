import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import {
  BSONRegExp,
  Binary,
  Code,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  MongoClient,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { accumulatorNames } from '../src/aggregation/accumulators.ts';
import { compileExpression } from '../src/aggregation/expression.ts';
import { operators } from '../src/aggregation/operators.ts';
import { specialForms } from '../src/aggregation/special-forms.ts';
import { windowFunctionNames } from '../src/aggregation/stages/window-functions.ts';
import { queryOperators } from '../src/query/value-tests.ts';
import { fieldUpdates } from '../src/update/update-operators.ts';
import { DocDbServer } from '../dist/index.js';

const SEED = Number(process.env.FUZZ_SEED ?? 20261122);
const CALLS = Number(process.env.FUZZ_CALLS ?? 1500);
/** Milliseconds that an answer may take; one that takes longer is none. */
const PATIENCE = 5000;

function nested(depth: number): Document {
  let doc: Document = {};
  for (let level = 0; level < depth; level++) doc = { a: doc };
  return doc;
}

const LARGE = 'x'.repeat(1024 * 1024);

/** Values at the ends of what there is, made anew for each use. */
const EXTREMES: readonly (() => unknown)[] = [
  ...[NaN, Infinity, -Infinity, -0, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, 5e-324, 0.5].map((value) => () => new Double(value)),
  ...[0, 1, -1, 2, 2147483647, -2147483648].map((value) => () => new Int32(value)),
  ...['9223372036854775807', '-9223372036854775808', '0'].map((text) => () => Long.fromString(text)),
  ...[
    '9.999999999999999999999999999999999E+6144',
    '-9.999999999999999999999999999999999E+6144',
    '1E-6176',
    '-0',
    'NaN',
    'Infinity',
    '1.5',
  ].map((text) => () => Decimal128.fromString(text)),
  () => null,
  () => '$missing',
  () => '$$REMOVE',
  () => '',
  () => 'a\u0000b',
  () => 'ab',
  () => '2024-02-30',
  () => 'UTC',
  () => 'day',
  () => '\u{1f600}\ud800',
  () => LARGE,
  () => true,
  () => [],
  () => [null, 1, 'a', []],
  () => Array.from({ length: 300 }, (_unused, index) => index),
  () => ({}),
  () => ({ $literal: nested(90) }),
  () => new Date(8.64e15),
  () => new Date(-8.64e15),
  () => new Date(0),
  () => new ObjectId('ffffffff0000000000000000'),
  () => new Timestamp({ t: 4294967295, i: 4294967295 }),
  () => new Binary(Buffer.from('ff', 'hex')),
  () => new BSONRegExp('(', ''),
  () => new BSONRegExp('a*', 'i'),
  () => new Code('f', {}),
  () => new MinKey(),
  () => new MaxKey(),
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const extreme = (random: Random): unknown => pick(random, EXTREMES)();

/** Parameters of operators that take an object and decide themselves what is evaluated. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  $cond: ['if', 'then', 'else'],
  $switch: ['branches', 'default'],
  $map: ['input', 'as', 'in', 'arrayIndexAs'],
  $filter: ['input', 'as', 'cond', 'limit'],
  $reduce: ['input', 'initialValue', 'in'],
  $let: ['vars', 'in'],
  $getField: ['field', 'input'],
  $setField: ['field', 'input', 'value'],
  $unsetField: ['field', 'input'],
  $sortArray: ['input', 'sortBy'],
};

function object(random: Random, names: readonly string[]): Document {
  return Object.fromEntries(names.filter(() => !random.oneIn(6)).map((name) => [name, extreme(random)]));
}

const USUAL: readonly unknown[] = ['ab', 1, [3, 1], new Date(0), 'day', { a: 1 }, [['k', 1]], 'UTC', true];
const SCOPE = { collator: undefined, names: new Set<string>() };

function works(expression: unknown): boolean {
  // Most do not work, and nobody reads where that was: to note it takes longer than to try.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const value = compileExpression(expression, SCOPE)({ root: {}, vars: {} });
    return value !== null && value !== undefined;
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Arguments that an operator takes, found by trying usual values: the most that it takes at once. */
function usualArguments(
  random: Random,
  name: string,
): { readonly names: readonly string[] | undefined; readonly values: unknown[] } | undefined {
  const known = operators[name];
  const names = known?.named ?? PARAMETERS[name];
  const most = names?.length ?? Math.min(known?.max ?? 3, 4);
  for (let count = most; count > 0; count--)
    for (let tried = 0; tried < 3000; tried++) {
      const values = Array.from({ length: count }, () => pick(random, USUAL));
      const operand = names ? Object.fromEntries(values.map((value, index) => [names[index] ?? '', value])) : values;
      if (works({ [name]: operand })) return { names, values };
    }
  return undefined;
}

const found = new Map<string, ReturnType<typeof usualArguments>>();

/** Usual arguments, and one that is extreme. */
function nearlyUsual(random: Random, name: string): Document | undefined {
  if (!found.has(name)) found.set(name, usualArguments(random, name));
  const usual = found.get(name);
  if (!usual) return undefined;
  const at = random.below(usual.values.length);
  const values = usual.values.map((value, index) => (index === at ? extreme(random) : value));
  const { names } = usual;
  return { [name]: names ? Object.fromEntries(values.map((value, index) => [names[index] ?? '', value])) : values };
}

function expression(random: Random): Document {
  const name = pick(random, [...Object.keys(operators), ...Object.keys(specialForms)]);
  const usual = random.oneIn(4) ? undefined : nearlyUsual(random, name);
  if (usual) return usual;
  const known = operators[name];
  const names = known?.named ?? PARAMETERS[name];
  if (names && !random.oneIn(5)) return { [name]: object(random, names) };
  const [least, most] = known ? [known.min, Math.min(known.max, known.min + 3)] : [1, 3];
  const count = random.oneIn(10) ? random.below(6) : least + random.below(most - least + 1);
  const list = Array.from({ length: count }, () => extreme(random));
  return { [name]: list.length === 1 && random.oneIn(2) ? list[0] : list };
}

const N_FIELDS = ['input', 'n', 'output', 'sortBy', 'p', 'method'];

function accumulator(random: Random, names: readonly string[]): Document {
  return { [pick(random, names)]: random.oneIn(3) ? object(random, N_FIELDS) : extreme(random) };
}

function field(random: Random): string {
  return pick(random, ['v', 'v.a', 'list', 'list.0', '', '$', '__proto__']);
}

/** Commands, each with something extreme. */
const KINDS: Readonly<Record<string, (random: Random) => Document>> = {
  expression: (random) => ({ aggregate: 'docs', pipeline: [{ $project: { r: expression(random) } }], cursor: {} }),
  accumulator: (random) => ({
    aggregate: 'docs',
    pipeline: [{ $group: { _id: null, r: accumulator(random, accumulatorNames()) } }],
    cursor: {},
  }),
  window: (random) => ({
    aggregate: 'docs',
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: {
            r: {
              ...accumulator(random, [...accumulatorNames(), ...windowFunctionNames]),
              ...(random.oneIn(2) ? { window: { documents: [extreme(random), extreme(random)] } } : {}),
            },
          },
        },
      },
    ],
    cursor: {},
  }),
  query: (random) => ({
    find: 'docs',
    filter: { [field(random)]: { [pick(random, Object.keys(queryOperators))]: extreme(random) } },
  }),
  update: (random) => ({
    update: 'docs',
    updates: [
      {
        q: {},
        u: { [pick(random, [...Object.keys(fieldUpdates), '$rename'])]: { [field(random)]: extreme(random) } },
        multi: random.oneIn(2),
      },
    ],
  }),
};

describe('extreme values in every operator', () => {
  let server: Awaited<ReturnType<typeof DocDbServer.spawn>> | undefined;
  let client: MongoClient;
  beforeAll(async () => {
    const url = process.env.DOCDB_URL ?? (server = await DocDbServer.spawn({ sync: 'never' })).uri;
    client = await new MongoClient(url, {
      socketTimeoutMS: PATIENCE,
      retryReads: false,
      retryWrites: false,
      bsonRegExp: true,
    }).connect();
  });
  afterAll(async () => {
    await client.close(true);
    await server?.stop();
  });

  it(`are answered, and never by a fault of the database: ${String(CALLS)} calls, FUZZ_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const db = client.db('fuzz');
    const refill = async (): Promise<void> => {
      await db.collection('docs').deleteMany({});
      await db.collection('docs').insertMany([
        { v: 1, list: [3, 1, 2] },
        { v: { a: 'text' }, list: [] },
        { v: Decimal128.fromString('2.50'), list: [{ a: 1 }] },
      ]);
    };
    for (let call = 0; call < CALLS; call++) {
      if (call % 100 === 0) await refill();
      const kind = random.oneIn(2) ? 'expression' : pick(random, Object.keys(KINDS));
      const command = KINDS[kind]?.(random) ?? {};
      const said = JSON.stringify(command, (_name, value: unknown) => (value === LARGE ? 'LARGE' : value)).slice(0, 500);
      const answer = await db.command(command, { bsonRegExp: true }).then(
        (reply: Document) => ((reply.writeErrors as Document[] | undefined)?.[0]?.code as unknown) ?? 'done',
        (error: unknown) => (error as { code?: unknown }).code ?? `no answer: ${String(error)}`,
      );
      expect([said, answer === 'done' || (typeof answer === 'number' && answer !== 1 && answer !== 8), answer]).toEqual([
        said,
        true,
        answer,
      ]);
      variety.tried(said);
      variety.took(answer === 'done' ? 'done' : 'refused');
      variety.took(kind);
    }
    console.log(variety.report('FUZZ_SEED', SEED));
    const share = (part: number): number => Math.floor(CALLS * part);
    variety.expect(Math.min(share(0.5), 50_000), {
      done: share(0.05),
      refused: share(0.2),
      expression: share(0.1),
      update: share(0.05),
      window: share(0.05),
    });
  });
});
