import type { Collator } from '../../bson/collation.ts';
import { compare } from '../../bson/compare.ts';
import { hashKey } from '../../bson/hash-key.ts';
import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { compileAccumulator } from '../accumulators.ts';
import { fieldPath } from '../field-path.ts';
import { compileExpression, type Env } from '../expression.ts';
import type { Stage, StageCompiler } from '../pipeline-types.ts';

interface Group {
  readonly id: Value;
  readonly envs: Env[];
}

/** Collects environments by key; equal keys by the collation, in the order of their first appearance. */
class Groups {
  readonly list: Group[] = [];
  readonly #byKey = new Map<string, Group>();
  readonly #collator: Collator | undefined;

  constructor(collator: Collator | undefined) {
    this.#collator = collator;
  }

  of(id: Value): Group {
    const key = hashKey(id);
    const known = this.#byKey.get(key) ?? this.#equalByCollation(id);
    if (known) return known;
    const created: Group = { id: id === undefined ? null : id, envs: [] };
    this.#byKey.set(key, created);
    this.list.push(created);
    return created;
  }

  #equalByCollation(id: Value): Group | undefined {
    return this.#collator && this.list.find((group) => compare(group.id, id, this.#collator) === 0);
  }
}

const group: StageCompiler = (operand, { scope }) => {
  if (!isDocument(operand)) throw new DocDbError(15947, "a group's fields must be specified in an object");
  if (!('_id' in operand)) throw new DocDbError(15955, 'a group specification must include an _id');
  const id = compileExpression(operand._id, scope);
  const fields = Object.keys(operand)
    .filter((name) => name !== '_id')
    .map((name) => {
      if (name.includes('.')) throw new DocDbError(40235, `The field name '${name}' cannot contain '.'`);
      return [name, compileAccumulator(name, operand[name], scope)] as const;
    });
  return (docs, vars) => {
    const groups = new Groups(scope.collator);
    for (const doc of docs) {
      const env: Env = { root: doc, vars };
      groups.of(id(env)).envs.push(env);
    }
    return groups.list.map(({ id: key, envs }) => ({ _id: key, ...Object.fromEntries(fields.map(([name, of]) => [name, of(envs)])) }));
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

const FORBIDDEN_IN_FACET: ReadonlySet<string> = new Set([
  '$facet',
  '$out',
  '$merge',
  '$collStats',
  '$indexStats',
  '$geoNear',
  '$changeStream',
  '$documents',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
]);

const facet: StageCompiler = (operand, context) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw new DocDbError(40169, 'the $facet specification must be a non-empty object');
  const branches = Object.keys(operand).map((name): readonly [string, Stage] => {
    const pipeline = operand[name];
    if (!Array.isArray(pipeline)) throw new DocDbError(40170, `arguments to $facet must be arrays, ${name} is not`);
    fieldPath(name);
    if (name.includes('.')) throw new DocDbError(40171, `a field of $facet may not have dots: ${name}`);
    for (const stage of pipeline as Doc[]) {
      if (!isDocument(stage)) throw new DocDbError(40171, `elements of arrays in $facet spec must be objects, ${name} has another`);
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
  $facet: facet,
};
