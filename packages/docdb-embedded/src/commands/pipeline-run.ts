import type { PipelineStep, Vars } from '../aggregation/pipeline-types.ts';
import { compileGroup, GroupRun, type GroupSpec } from '../aggregation/group-run.ts';
import { handedOverFields } from '../aggregation/handed-over.ts';
import { checkKept, inSteps } from '../aggregation/in-order.ts';
import { isForEach } from '../aggregation/inner-turns.ts';
import { JoinBatches } from '../aggregation/join-batches.ts';
import { lastAskingForSortKey } from '../aggregation/metadata.ts';
import { isOutput } from '../aggregation/pipeline.ts';
import { compileUnwind } from '../aggregation/stages/shape.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { parseSort } from '../query/sort.ts';
import { MEMORY } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import { type Operation, SLICE } from './operation.ts';
import type { PipelineRun, Steps } from './pipeline-steps.ts';
import { ordered, sorted } from './sorted-steps.ts';
import { Tee } from './tee.ts';

const BY_ID = { keys: parseSort({ _id: 1 }), most: Infinity };

/**
 * Runs the stages of a pipeline over documents that come a step at a time. Stages that treat each document by itself pass
 * on what they have; sorts and groups go to the disk when memory has no room; the others collect, up to a limit.
 *
 * @throws DocDbError (292) when a stage would have to collect too much
 */
export function runStages(source: Steps, stages: readonly PipelineStep[], run: PipelineRun): Steps {
  let steps = source;
  const asking = lastAskingForSortKey(stages.map(({ operand }) => operand));
  for (const [at, stage] of stages.entries()) steps = runStage(steps, stage, { next: stages[at + 1], asksForSortKey: at < asking }, run);
  return steps;
}

/** What follows a stage. */
interface Later {
  readonly next: PipelineStep | undefined;
  /** Whether one of the stages asks for the values that documents were sorted by. */
  readonly asksForSortKey: boolean;
}

function runStage(steps: Steps, stage: PipelineStep, { next, asksForSortKey }: Later, run: PipelineRun): Steps {
  const { vars, operation, scope } = run;
  // Whoever runs it writes what comes.
  if (isOutput(stage.name)) return steps;
  if (stage.more) return followed(steps, stage.more);
  if (stage.branches) return branched(steps, stage.branches, run);
  if (stage.groups) return sorted(grouped(steps, stage.groups, run), { ...BY_ID, collator: scope.collator, shown: asksForSortKey }, run);
  if (stage.inOrder) return ordered(steps, stage.inOrder, run);
  if (isForEach(stage)) return each(steps, stage, vars, operation);
  if (stage.turns) return joined(steps, stage.turns, vars, operation);
  if (stage.name === '$unwind') return unwound(steps, compileUnwind(stage.operand), operation);
  if (stage.name === '$group')
    return grouped(steps, compileGroup(stage.operand, scope), run, next === undefined ? undefined : handedOverFields);
  if (stage.name === '$sort') {
    const most = next?.name === '$limit' ? Number(String(next.operand)) : Infinity;
    return sorted(steps, { keys: parseSort(stage.operand as Doc), collator: scope.collator, most, shown: asksForSortKey }, run);
  }
  if (stage.name === '$sortByCount') {
    const counts = grouped(steps, compileGroup({ _id: stage.operand, count: { $sum: 1 } }, scope), run);
    return sorted(counts, { keys: parseSort({ count: -1 }), collator: scope.collator, most: Infinity, shown: asksForSortKey }, run);
  }
  if (stage.name === '$limit') return limited(steps, Number(String(stage.operand)));
  if (stage.name === '$skip') return skipped(steps, Number(String(stage.operand)));
  if (stage.name === '$count') return counted(steps, stage, vars);
  return collected(steps, stage, vars, operation);
}

async function* each(steps: Steps, { run }: PipelineStep, vars: Vars, operation: Operation): AsyncGenerator<Doc[], void> {
  for await (const docs of steps) {
    if (docs.length > 0) yield operation.during(() => run(docs, vars));
    await operation.turn();
  }
}

/** What documents are joined with is passed on before the next ones are, and others have their turn between. */
async function* joined(
  steps: Steps,
  turns: NonNullable<PipelineStep['turns']>,
  vars: Vars,
  operation: Operation,
): AsyncGenerator<Doc[], void> {
  const batches = new JoinBatches(SLICE);
  for await (const docs of steps) {
    for (let at = 0; at < docs.length;) {
      const some = docs.slice(at, at + batches.size);
      at += some.length;
      const work = turns(some, vars);
      let milliseconds = 0;
      const goOn = (): ReturnType<typeof work.next> => {
        const started = performance.now();
        const step = operation.during(() => work.next());
        milliseconds += performance.now() - started;
        return step;
      };
      let step = goOn();
      for (; step.done !== true; step = goOn()) await operation.turn();
      const rows = step.value;
      batches.note({ documents: some.length, bytes: rows.reduce((sum, row) => sum + roughSize(row), 0), milliseconds });
      yield rows;
      await operation.turn();
    }
  }
}

/** The documents of a list are made when they are asked for. */
async function* unwound(steps: Steps, unfold: (doc: Doc) => Iterable<Doc>, operation: Operation): AsyncGenerator<Doc[], void> {
  for await (const docs of steps) {
    for (const step of operation.stepping(inSteps(unfolded(docs, unfold)))) {
      yield step;
      await operation.turn();
    }
    await operation.turn();
  }
}

function* unfolded(docs: readonly Doc[], unfold: (doc: Doc) => Iterable<Doc>): Generator<Doc, void> {
  for (const doc of docs) yield* unfold(doc);
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

async function* followed(steps: Steps, more: () => Steps): AsyncGenerator<Doc[], void> {
  yield* steps;
  yield* more();
}

async function* grouped(
  steps: Steps,
  spec: GroupSpec,
  { vars, operation, memory }: PipelineRun,
  shown?: (group: Doc) => Doc,
): AsyncGenerator<Doc[], void> {
  const groups = new GroupRun(spec, memory);
  try {
    for await (const docs of steps) {
      for (const _turn of operation.stepping(groups.add(docs, vars))) await operation.turn();
      await operation.turn();
    }
    for (const rows of operation.stepping(groups.results())) {
      yield shown ? rows.map(shown) : rows;
      await operation.turn();
    }
  } finally {
    groups.close();
  }
}

/** All branches get the same documents, a step at a time; what they make of them is one document. */
async function* branched(steps: Steps, branches: NonNullable<PipelineStep['branches']>, run: PipelineRun): AsyncGenerator<Doc[], void> {
  const tee = new Tee(steps);
  let bytes = 0;
  const made = branches.map(([name, stages]) => ({ name, docs: [] as Doc[], steps: runStages(tee.reader(), stages, run) }));
  const collect = async (branch: (typeof made)[number]): Promise<void> => {
    try {
      for await (const docs of branch.steps) {
        for (const doc of docs) {
          branch.docs.push(doc);
          bytes += roughSize(doc);
        }
        if (bytes > MEMORY)
          throw new DocDbError(
            4031700,
            `document constructed by $facet is ${String(bytes)} bytes, which exceeds the limit of ${String(MEMORY)} bytes`,
          );
      }
    } catch (error) {
      tee.fail(error);
      throw error;
    }
  };
  try {
    // What fails ends the others, and they are waited for.
    const [failed] = (await Promise.allSettled(made.map(collect))).filter(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    yield [Object.fromEntries(made.map(({ name, docs }) => [name, docs]))];
  } finally {
    await tee.close();
  }
}

async function* collected(steps: Steps, { name, run, whole }: PipelineStep, vars: Vars, operation: Operation): AsyncGenerator<Doc[], void> {
  const all: Doc[] = [];
  let bytes = 0;
  for await (const docs of steps) {
    for (const doc of docs) {
      all.push(doc);
      bytes += roughSize(doc);
    }
    checkKept(name, bytes);
    await operation.turn();
  }
  if (!whole) {
    yield operation.during(() => run(all, vars));
    return;
  }
  const work = whole(all, vars);
  const goOn = (): ReturnType<typeof work.next> => operation.during(() => work.next());
  let step = goOn();
  for (; step.done !== true; step = goOn()) await operation.turn();
  yield step.value;
}
