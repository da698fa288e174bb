import type { PipelineStep, Vars } from '../aggregation/pipeline-types.ts';
import { sizeOf } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Operation } from './operation.ts';

/** Stages that treat each document by itself. */
const EACH: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$unwind',
  '$lookup',
  '$graphLookup',
  '$redact',
]);
/** Bytes of documents that a stage may collect. */
const MAX_BYTES: number = 100 * 1024 * 1024;
/** Of small documents one in so many is measured. */
const SAMPLE = 16;
const SMALL = 4096;

type Steps = AsyncIterable<Doc[]>;

/**
 * Runs the stages of a pipeline over documents that come a step at a time. Stages that treat each document by itself pass
 * on what they have; the others collect, up to a limit.
 *
 * @throws DocDbError (292) when a stage would have to collect too much
 */
export function runStages(source: Steps, stages: readonly PipelineStep[], vars: Vars, operation: Operation): Steps {
  let steps = source;
  for (const stage of stages) steps = runStage(steps, stage, vars, operation);
  return steps;
}

function runStage(steps: Steps, stage: PipelineStep, vars: Vars, operation: Operation): Steps {
  if (EACH.has(stage.name)) return each(steps, stage, vars, operation);
  if (stage.name === '$limit') return limited(steps, Number(String(stage.operand)));
  if (stage.name === '$skip') return skipped(steps, Number(String(stage.operand)));
  if (stage.name === '$count') return counted(steps, stage, vars);
  if (stage.name === '$unionWith') return continued(steps, stage, vars);
  return collected(steps, stage, vars, operation);
}

async function* each(steps: Steps, { run }: PipelineStep, vars: Vars, operation: Operation): AsyncGenerator<Doc[], void> {
  for await (const docs of steps) {
    if (docs.length > 0) yield run(docs, vars);
    await operation.turn();
  }
}

async function* limited(steps: Steps, limit: number): AsyncGenerator<Doc[], void> {
  let left = limit;
  for await (const docs of steps) {
    yield docs.length > left ? docs.slice(0, left) : docs;
    left -= docs.length;
    if (left <= 0) return;
  }
}

async function* skipped(steps: Steps, skip: number): AsyncGenerator<Doc[], void> {
  let left = skip;
  for await (const docs of steps) {
    if (left < docs.length) yield left > 0 ? docs.slice(left) : docs;
    left = Math.max(0, left - docs.length);
  }
}

/** Counting needs no documents, only how many there were. */
async function* counted(steps: Steps, { run }: PipelineStep, vars: Vars): AsyncGenerator<Doc[], void> {
  let count = 0;
  let one: Doc[] = [];
  for await (const docs of steps) {
    count += docs.length;
    one = one.length > 0 ? one : docs.slice(0, 1);
  }
  yield run(one, vars).map((row) => Object.fromEntries(Object.keys(row).map((name) => [name, count])));
}

async function* continued(steps: Steps, { run }: PipelineStep, vars: Vars): AsyncGenerator<Doc[], void> {
  yield* steps;
  yield run([], vars);
}

async function* collected(steps: Steps, { name, run }: PipelineStep, vars: Vars, operation: Operation): AsyncGenerator<Doc[], void> {
  const all: Doc[] = [];
  let bytes = 0;
  let unmeasured = 0;
  for await (const docs of steps) {
    for (const doc of docs) {
      all.push(doc);
      if (unmeasured > 0) unmeasured -= 1;
      else {
        const size = sizeOf(doc);
        unmeasured = size < SMALL ? SAMPLE - 1 : 0;
        bytes += size * (unmeasured + 1);
      }
    }
    if (bytes > MAX_BYTES)
      throw new DocDbError(
        292,
        `${name} would have to keep more than ${String(MAX_BYTES)} bytes in memory. Put a $match or a $project before it`,
      );
  }
  await operation.turn();
  yield run(all, vars);
}
