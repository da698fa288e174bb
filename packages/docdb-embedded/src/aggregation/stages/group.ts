import { compare } from '../../bson/compare.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { compileAccumulator } from '../accumulators.ts';
import { compileExpression, type Env } from '../expression.ts';
import { compileGroup, GroupRun } from '../group-run.ts';
import type { PipelineContext, Stage, StageCompiler } from '../pipeline-types.ts';

const group: StageCompiler = (operand, { scope }) => {
  const spec = compileGroup(operand, scope);
  return (docs, vars) => {
    const run = new GroupRun(spec, { allowDiskUse: true });
    try {
      for (const _turn of run.add(docs, vars));
      return [...run.results()].flat();
    } finally {
      run.close();
    }
  };
};

const sortByCount: StageCompiler = (operand, context) =>
  context.compile([{ $group: { _id: operand, count: { $sum: 1 } } }, { $sort: { count: -1 } }], context);

const countStage: StageCompiler = (operand) => {
  if (typeof operand !== 'string' || operand === '' || operand.startsWith('$') || operand.includes('.')) {
    throw new DocDbError(40156, 'the count field must be a non-empty string without $ and .');
  }
  // No document in, no document out.
  return (docs) => (docs.length === 0 ? [] : [{ [operand]: docs.length }]);
};

function outputs(source: Value, context: PipelineContext): readonly (readonly [string, (envs: readonly Env[]) => Value])[] {
  const output = (source ?? { count: { $sum: 1 } }) as Doc;
  return Object.keys(output).map((name) => [name, compileAccumulator(name, output[name], context.scope)] as const);
}

const bucket: StageCompiler = (operand, context) => {
  const source = operand as Doc;
  const { boundaries } = source;
  if (!isDocument(operand) || !Array.isArray(boundaries) || boundaries.length < 2)
    throw new DocDbError(40192, "The $bucket 'boundaries' field must have at least 2 values");
  const bounds = boundaries as Value[];
  for (let index = 1; index < bounds.length; index++) {
    if (compare(bounds[index - 1], bounds[index]) >= 0) throw new DocDbError(40194, "The 'boundaries' option to $bucket must be sorted");
  }
  const by = compileExpression(source.groupBy, context.scope);
  const fields = outputs(source.output, context);
  return (docs, vars) => {
    const groups = new Map<number, Env[]>();
    for (const doc of docs) {
      const env: Env = { root: doc, vars };
      const value = by(env);
      let at = bounds.findIndex(
        (bound, index) => index < bounds.length - 1 && compare(value, bound) >= 0 && compare(value, bounds[index + 1]) < 0,
      );
      if (at < 0) {
        if (!('default' in source))
          throw new DocDbError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
        at = bounds.length;
      }
      groups.set(at, [...(groups.get(at) ?? []), env]);
    }
    const rows = [...groups.entries()].map(([at, envs]) => ({
      _id: at === bounds.length ? source.default : bounds[at],
      ...Object.fromEntries(fields.map(([name, of]) => [name, of(envs)])),
    }));
    return rows.sort((a, b) => compare(a._id, b._id));
  };
};

const bucketAuto: StageCompiler = (operand, context) => {
  const source = operand as Doc;
  const buckets = isDocument(operand) && isNumber(source.buckets) ? Number(String(source.buckets)) : 0;
  if (!Number.isInteger(buckets) || buckets < 1) throw new DocDbError(40243, "The $bucketAuto 'buckets' field must be greater than 0");
  const by = compileExpression(source.groupBy, context.scope);
  const fields = outputs(source.output, context);
  return (docs, vars) => {
    const rows = docs
      .map((doc) => ({ env: { root: doc, vars }, key: by({ root: doc, vars }) ?? null }))
      .sort((a, b) => compare(a.key, b.key));
    const size = Math.max(1, Math.round(rows.length / buckets));
    const result: Doc[] = [];
    for (let start = 0; start < rows.length;) {
      let end = result.length === buckets - 1 ? rows.length : Math.min(rows.length, start + size);
      while (end < rows.length && compare(rows[end - 1]?.key, rows[end]?.key) === 0) end++;
      const max = rows[Math.min(end, rows.length - 1)]?.key;
      result.push({
        _id: { min: rows[start]?.key, max },
        ...Object.fromEntries(fields.map(([name, of]) => [name, of(rows.slice(start, end).map((row) => row.env))])),
      });
      start = end;
    }
    return result;
  };
};

const FORBIDDEN_IN_FACET: ReadonlySet<string> = new Set([
  '$facet',
  '$out',
  '$merge',
  '$collStats',
  '$indexStats',
  '$geoNear',
  '$changeStream',
]);

const facet: StageCompiler = (operand, context) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw new DocDbError(40169, 'the $facet specification must be a non-empty object');
  const branches = Object.keys(operand).map((name): readonly [string, Stage] => {
    const pipeline = operand[name];
    if (!Array.isArray(pipeline)) throw new DocDbError(40170, `arguments to $facet must be arrays, ${name} is not`);
    for (const stage of pipeline as Doc[]) {
      const forbidden = Object.keys(stage).find((key) => FORBIDDEN_IN_FACET.has(key));
      if (forbidden !== undefined) throw new DocDbError(40600, `${forbidden} is not allowed to be used within a $facet stage`);
    }
    return [name, context.compile(pipeline as Value[], context)];
  });
  return (docs, vars) => [Object.fromEntries(branches.map(([name, stage]) => [name, stage(docs, vars)]))];
};

/** Stages that make one document of many. */
export const groupStages: Readonly<Record<string, StageCompiler>> = {
  $group: group,
  $sortByCount: sortByCount,
  $count: countStage,
  $bucket: bucket,
  $bucketAuto: bucketAuto,
  $facet: facet,
};
