import { afterEach, expect, it, jest } from '@jest/globals';
import { NO_COLLECTIONS } from '../../src/aggregation/pipeline-types.ts';
import { compileSteps } from '../../src/aggregation/pipeline.ts';
import type { Doc } from '../../src/bson/values.ts';
import { Operation } from '../../src/commands/operation.ts';
import { runStages } from '../../src/commands/pipeline-run.ts';
import type { MemoryRules } from '../../src/spill/memory.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

class Counting extends Operation {
  turns = 0;

  override turn(): Promise<void> {
    this.turns += 1;
    return super.turn();
  }
}

/** A stage over documents that come as given. */
function runOf(
  stage: Doc,
  given: readonly Doc[][],
  memory: MemoryRules,
): { readonly operation: Counting; readonly steps: AsyncIterable<Doc[]> } {
  const scope = { collator: undefined, names: new Set<string>() };
  const operation = new Counting();
  async function* source(): AsyncGenerator<Doc[]> {
    for (const some of given) yield some;
  }
  const stages = compileSteps([stage], { host: NO_COLLECTIONS, scope });
  return { operation, steps: runStages(source(), stages, { vars: {}, scope, operation, memory }) };
}

it.each([
  ['$setWindowFields', { partitionBy: '$n', sortBy: { half: 1 }, output: { at: { $documentNumber: {} } } }],
  ['$setWindowFields', { sortBy: { half: 1 }, output: { at: { $documentNumber: {} } } }],
  ['$fill', { partitionBy: '$n', sortBy: { half: 1 }, output: { other: { method: 'locf' } } }],
  ['$bucketAuto', { groupBy: '$n', buckets: 10 }],
  ['$densify', { field: 'n', range: { step: 0.1, bounds: 'full' } }],
  ['$sample', { size: 4000 }],
])('others have their turn while %s is at work: %j', async (name, operand) => {
  const docs = Array.from({ length: 4000 }, (_none, n): Doc => ({ _id: n, n: n % 500, half: n % 2 }));
  const { operation, steps } = runOf({ [name]: operand }, [docs], { allowDiskUse: true });
  for await (const _step of steps);
  expect(operation.turns).toBeGreaterThanOrEqual(20);
});

/** Documents that take a while each time their value is read: the clock goes on then, and at no other time. */
function slowDocuments(count: number): Doc[] {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const slow = (n: number): Doc =>
    Object.defineProperty<Doc>({ _id: n }, 'v', {
      enumerable: true,
      get() {
        now += 3;
        return n;
      },
    });
  return Array.from({ length: count }, (_none, n) => slow(n));
}

it.each([
  [{ $sum: '$v' }, undefined],
  [{ $sum: '$v' }, { documents: ['unbounded', 'current'] }],
  [{ $sum: '$v' }, { documents: ['current', 'unbounded'] }],
  [{ $stdDevPop: '$v' }, { documents: [-1, 1] }],
  [{ $max: '$v' }, { documents: [0, 0] }],
  [{ $covariancePop: ['$v', '$_id'] }, { documents: [-1, 1] }],
  [{ $shift: { output: '$v', by: 1 } }, undefined],
  [{ $expMovingAvg: { input: '$v', N: 2 } }, undefined],
  [{ $integral: { input: '$v' } }, undefined],
  [{ $derivative: { input: '$v' } }, { documents: [0, 0] }],
  [{ $locf: '$v' }, undefined],
  [{ $linearFill: '$v' }, undefined],
  [{ $minMaxScaler: { input: '$v' } }, undefined],
])('others have their turn while %j is worked out over the documents of one partition, with the window %j', async (operator, window) => {
  const docs = slowDocuments(30);
  const output = { out: window ? { ...operator, window } : operator };
  const { operation, steps } = runOf({ $setWindowFields: { sortBy: { _id: 1 }, output } }, [docs], { allowDiskUse: true });
  for await (const _step of steps);
  expect(operation.turns).toBeGreaterThanOrEqual(docs.length);
});

it('a sample is as likely to begin with a document from memory as with one from the disk', async () => {
  // Nine tenths are on the disk; what came last is in memory.
  const docs = Array.from({ length: 200 }, (_none, n): Doc => ({ _id: n, text: 'x'.repeat(100) }));
  let fromMemory = 0;
  for (let round = 0; round < 400; round++) {
    const { steps } = runOf({ $sample: { size: 199 } }, [docs.slice(0, 180), docs.slice(180)], { allowDiskUse: true, limit: 30_000 });
    for await (const [first] of steps) {
      if (Number(first?._id) >= 180) fromMemory += 1;
      break;
    }
  }
  expect(fromMemory).toBeGreaterThan(10);
  expect(fromMemory).toBeLessThan(90);
});
