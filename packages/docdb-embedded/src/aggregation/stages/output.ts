import { equal } from '../../bson/compare.ts';
import { type Doc, isDocument, ObjectId, setOwn, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import type { PipelineContext, StageCompiler, Vars } from '../pipeline-types.ts';

interface Target {
  readonly database: string | undefined;
  readonly name: string;
}

function targetOf(stage: string, value: Value): Target {
  if (typeof value === 'string') return { database: undefined, name: value };
  if (isDocument(value) && typeof value.coll === 'string') return { database: value.db as string | undefined, name: value.coll };
  throw new DocDbError(16990, `${stage} only supports a string or object argument`);
}

function withId(doc: Doc): Doc {
  return '_id' in doc ? doc : { _id: new ObjectId(), ...doc };
}

const out: StageCompiler = (operand, { host }) => {
  const target = targetOf('$out', operand);
  return (docs) => {
    host.replaceCollection(target.database, target.name, docs.map(withId));
    return [];
  };
};

const MATCHED: ReadonlySet<string> = new Set(['replace', 'keepExisting', 'merge', 'fail']);
const NOT_MATCHED: ReadonlySet<string> = new Set(['insert', 'discard', 'fail']);

const merge: StageCompiler = (operand, context) => {
  const spec: Doc = typeof operand === 'string' ? { into: operand } : (operand as Doc);
  if (!isDocument(spec)) throw failedToParse('$merge requires a string or object argument');
  const target = targetOf('$merge', spec.into);
  const on = spec.on === undefined ? ['_id'] : Array.isArray(spec.on) ? (spec.on as string[]) : [spec.on as string];
  const matched = spec.whenMatched ?? 'merge';
  const notMatched = spec.whenNotMatched ?? 'insert';
  if (typeof matched === 'string' && !MATCHED.has(matched))
    throw new DocDbError(2, `Enumeration value '${matched}' for field '$merge.whenMatched' is not a valid value.`);
  if (typeof notMatched !== 'string' || !NOT_MATCHED.has(notMatched))
    throw new DocDbError(2, `Enumeration value '${String(notMatched)}' for field '$merge.whenNotMatched' is not a valid value.`);
  return (docs, vars) => {
    if (!context.host.hasUniqueIndex(target.database, target.name, on)) {
      throw new DocDbError(51183, `Cannot find index to verify that join fields will be unique: ${on.join(', ')}`);
    }
    for (const doc of docs) mergeOne(withId(doc), { target, on, matched, notMatched }, context, vars);
    return [];
  };
};

interface MergeRules {
  readonly target: Target;
  readonly on: readonly string[];
  readonly matched: Value;
  readonly notMatched: string;
}

function mergeOne(doc: Doc, { target, on, matched, notMatched }: MergeRules, context: PipelineContext, vars: Vars): void {
  const { host } = context;
  const filter = Object.fromEntries(on.map((name) => [name, { $eq: doc[name] ?? null }]));
  const [existing] = host.collection(target.name, target.database).find(filter, undefined, vars);
  if (!existing) {
    if (notMatched === 'fail') throw new DocDbError(13113, '$merge could not find a matching document in the target collection');
    if (notMatched === 'insert') host.insert(target.database, target.name, doc);
    return;
  }
  if (matched === 'fail')
    throw new DocDbError(11000, `E11000 duplicate key error in $merge on ${on.join(', ')}`, {
      keyPattern: Object.fromEntries(on.map((name) => [name, 1])),
      keyValue: filter,
    });
  if (matched === 'keepExisting') return;
  const next = mergedDocument(existing, doc, matched, context, vars);
  if (!equal(next._id, existing._id))
    throw new DocDbError(66, "$merge failed to update the matching document: the immutable field '_id' cannot be modified");
  host.replace(target.database, target.name, existing, next);
}

function mergedDocument(existing: Doc, doc: Doc, matched: Value, context: PipelineContext, vars: Vars): Doc {
  if (matched === 'replace') return doc;
  if (Array.isArray(matched)) {
    const scope = { ...context.scope, names: new Set([...context.scope.names, 'new']) };
    const [result] = context.compile(matched as Value[], { ...context, scope })([existing], { ...vars, new: doc });
    return result as Doc;
  }
  const result = { ...existing };
  for (const name of Object.keys(doc)) setOwn(result, name, doc[name]);
  return result;
}

/** Stages that write. */
export const outputStages: Readonly<Record<string, StageCompiler>> = { $out: out, $merge: merge };
