import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { fieldPath } from '../field-path.ts';
import { compileGroup, groupAll } from '../group-run.ts';
import type { InnerPipeline, StageCompiler, Vars } from '../pipeline-types.ts';
import { atOnce, type InTurns } from './in-turns.ts';

const group: StageCompiler = (operand, { scope }) => {
  const spec = compileGroup(operand, { ...scope, unavailable: 10071200 });
  return (docs, vars) => groupAll(spec, docs, vars);
};

const sortByCount: StageCompiler = (operand, context) =>
  context.compile([{ $group: { _id: operand, count: { $sum: 1 } } }, { $sort: { count: -1 } }], context).run;

const countStage: StageCompiler = (operand) => {
  if (typeof operand !== 'string' || operand === '' || operand.startsWith('$') || operand.includes('.')) {
    throw new DocDbError(40156, 'the count field must be a non-empty string without $ and .');
  }
  // No document in, no document out.
  return (docs) => (docs.length === 0 ? [] : [{ [operand]: docs.length }]);
};

const facet: StageCompiler = (operand, context) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw new DocDbError(40169, 'the $facet specification must be a non-empty object');
  const branches = Object.keys(operand).map((name): readonly [string, InnerPipeline] => {
    const pipeline = operand[name];
    if (!Array.isArray(pipeline)) throw new DocDbError(40170, `arguments to $facet must be arrays, ${name} is not`);
    if (name === '') throw new DocDbError(15998, 'FieldPath field names may not be empty strings.');
    if (name.includes('.')) throw new DocDbError(16412, `a field of $facet may not have dots: ${name}`);
    fieldPath(name);
    for (const stage of pipeline as Doc[]) {
      if (!isDocument(stage)) throw new DocDbError(40171, `elements of arrays in $facet spec must be objects, ${name} has another`);
    }
    return [name, context.compile(pipeline as Value[], { ...context, facet: 'branch' })];
  });
  const whole = function* (docs: Doc[], vars: Vars): InTurns<Doc[]> {
    const made: (readonly [string, Doc[]])[] = [];
    for (const [name, { turns }] of branches) made.push([name, yield* turns(docs, vars)]);
    return [Object.fromEntries(made)];
  };
  return {
    run: (docs, vars) => atOnce(whole(docs, vars)),
    whole,
    branches: branches.map(([name, { steps }]) => [name, steps]),
  };
};

/** Stages that make one document of many. */
export const groupStages: Readonly<Record<string, StageCompiler>> = {
  $group: group,
  $sortByCount: sortByCount,
  $count: countStage,
  $facet: facet,
};
