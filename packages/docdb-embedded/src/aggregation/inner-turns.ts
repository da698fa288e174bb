import type { Doc } from '../bson/values.ts';
import { roughSize } from '../spill/rough-size.ts';
import { JOIN_MEMORY } from './hash-join.ts';
import { checkKept } from './in-order.ts';
import { JoinBatches } from './join-batches.ts';
import type { PipelineStep, Vars } from './pipeline-types.ts';
import type { InTurns } from './stages/in-turns.ts';

/** Stages that treat each document by itself. */
const EACH: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact',
]);

/** @returns whether a stage treats each document by itself, and makes little of it */
export function isForEach({ name, each }: PipelineStep): boolean {
  return each === true || EACH.has(name);
}

/**
 * Carries out the stages of a pipeline that is inside of a stage, over documents that are there.
 *
 * @throws DocDbError (292) where memory has no room for what documents are joined with
 */
export function* innerTurns(steps: readonly PipelineStep[], docs: Doc[], vars: Vars): InTurns<Doc[]> {
  let current = docs;
  for (let at = 0; at < steps.length;) {
    const step = steps[at] as PipelineStep;
    if (step.turns) {
      const others = steps.slice(at + 1);
      const end = others.findIndex((other) => !isOfOne(other));
      const some = end === -1 ? others : others.slice(0, end);
      current = yield* joined({ name: step.name, turns: step.turns, some }, current, vars);
      at += 1 + some.length;
    } else {
      current = step.whole ? yield* step.whole(current, vars) : step.run(current, vars);
      at += 1;
    }
    yield;
  }
  return current;
}

/** Whether what a stage makes of a document does not depend on others. */
function isOfOne(step: PipelineStep): boolean {
  return step.turns !== undefined || step.name === '$unwind' || isForEach(step);
}

/** A join, and the stages behind it that treat each document by itself. */
interface Joining {
  readonly name: string;
  readonly turns: NonNullable<PipelineStep['turns']>;
  readonly some: readonly PipelineStep[];
}

/** Documents are joined a few at a time: what the stages behind leave out is not kept until all have been. */
function* joined({ name, turns, some }: Joining, docs: readonly Doc[], vars: Vars): InTurns<Doc[]> {
  const batches = new JoinBatches(Infinity, JOIN_MEMORY);
  const rows: Doc[] = [];
  let kept = 0;
  for (let at = 0; at < docs.length;) {
    const batch = docs.slice(at, at + batches.size);
    at += batch.length;
    const found = yield* turns(batch, vars);
    batches.note({ documents: batch.length, bytes: sizeOf(found), milliseconds: 0 });
    const made = some.length > 0 ? yield* innerTurns(some, found, vars) : found;
    kept += sizeOf(made);
    checkKept(name, kept);
    for (const row of made) rows.push(row);
    yield;
  }
  return rows;
}

function sizeOf(docs: readonly Doc[]): number {
  return docs.reduce((sum, doc) => sum + roughSize(doc), 0);
}
