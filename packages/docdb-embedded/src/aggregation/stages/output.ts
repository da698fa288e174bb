import { equal } from '../../bson/compare.ts';
import { copyOf, put } from '../../bson/fields.ts';
import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { readPath } from '../../query/path-values.ts';
import { compileExpression } from '../expression.ts';
import { variableName } from '../form-parts.ts';
import type { PipelineContext, Stage, Vars } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';
import { checkUpdates } from '../update-stages.ts';

/** Where a stage writes to. */
export interface OutputTarget {
  readonly database: string | undefined;
  readonly name: string;
}

/** What `$merge` does with each document. */
export interface MergeRules {
  readonly target: OutputTarget;
  readonly on: readonly string[];
  readonly matched: Value;
  readonly notMatched: string;
  /** Makes one document of the one that is there and the one that is merged into it. */
  readonly combine: (existing: Doc, doc: Doc, vars: Vars) => Doc;
}

/** @throws DocDbError (16990) for what names no collection */
export function outputTarget(stage: string, value: Value): OutputTarget {
  if (typeof value === 'string') return { database: undefined, name: value };
  if (isDocument(value) && typeof value.coll === 'string') return { database: value.db as string | undefined, name: value.coll };
  throw new DocDbError(16990, `${stage} only supports a string or object argument`);
}

const MATCHED: ReadonlySet<string> = new Set(['replace', 'keepExisting', 'merge', 'fail']);
const NOT_MATCHED: ReadonlySet<string> = new Set(['insert', 'discard', 'fail']);

/** @throws DocDbError (2, 9, 72, 16990, and those of the pipeline that merges) for what is no valid `$merge` */
export function mergeRules(operand: Value, context: PipelineContext): MergeRules {
  const spec: Doc = typeof operand === 'string' ? { into: operand } : (operand as Doc);
  if (!isDocument(spec)) throw failedToParse('$merge requires a string or object argument');
  const target = outputTarget('$merge', spec.into);
  const on = spec.on === undefined ? ['_id'] : Array.isArray(spec.on) ? (spec.on as string[]) : [spec.on as string];
  const matched = spec.whenMatched ?? 'merge';
  const notMatched = spec.whenNotMatched ?? 'insert';
  if (typeof matched === 'string' && !MATCHED.has(matched))
    throw new DocDbError(2, `Enumeration value '${matched}' for field '$merge.whenMatched' is not a valid value.`);
  if (typeof notMatched !== 'string' || !NOT_MATCHED.has(notMatched))
    throw new DocDbError(2, `Enumeration value '${String(notMatched)}' for field '$merge.whenNotMatched' is not a valid value.`);
  const variables = isDocument(spec.let) ? spec.let : {};
  const combine = Array.isArray(matched)
    ? byPipeline(matched as Value[], { new: '$$ROOT', ...variables }, context)
    : matched === 'replace'
      ? (_existing: Doc, doc: Doc): Doc => doc
      : fieldByField;
  return { target, on, matched, notMatched, combine };
}

function fieldByField(existing: Doc, doc: Doc): Doc {
  let result = copyOf(existing);
  for (const name of Object.keys(doc)) result = put(result, name, doc[name]);
  return result;
}

/** The pipeline is read when a document matches; a variable without a value is one that there is not. */
function byPipeline(stages: readonly Value[], variables: Doc, context: PipelineContext): MergeRules['combine'] {
  const own = Object.keys(variables).map((name) => [variableName(name, name), compileExpression(variables[name], context.scope)] as const);
  const compiled = new Map<string, Stage>();
  const compile = (names: readonly string[]): Stage => {
    const known = compiled.get(names.join());
    if (known) return known;
    checkUpdates(stages);
    const scope = { ...context.scope, names: new Set([...context.scope.names, ...names]) };
    const stage = context.compile(stages, { ...context, scope }).run;
    compiled.set(names.join(), stage);
    return stage;
  };
  return (existing, doc, vars) => {
    const values = own.map(([name, of]) => [name, of({ root: doc, vars })] as const).filter(([, value]) => value !== undefined);
    const [result = existing] = compile(values.map(([name]) => name))([existing], { ...vars, ...Object.fromEntries(values) });
    return result;
  };
}

/** @returns the value of a field that a merge joins by */
function joined(doc: Doc, name: string): Value {
  return readPath(doc, name.split('.'));
}

/**
 * The filter of the document that a document is merged with.
 *
 * @param sparse whether the index of the fields leaves out documents without them
 * @throws DocDbError (51132, 51185) for values that no index tells apart
 */
export function mergeFilter(doc: Doc, { on }: MergeRules, sparse: boolean): Doc {
  const value = (name: string): Value => {
    const found = joined(doc, name);
    if (Array.isArray(found)) throw new DocDbError(51185, `$merge write error: 'on' field '${name}' is an array`);
    if (sparse && (found === undefined || found === null))
      throw new DocDbError(51132, `$merge write error: 'on' field '${name}' cannot be missing, null or undefined`);
    return found ?? null;
  };
  return Object.fromEntries(on.map((name) => [name, { $eq: value(name) }]));
}

/**
 * What a merge makes of a document.
 *
 * @param existing the document that it is merged with
 * @returns the document to write; `undefined` for none
 * @throws DocDbError (66, 13113)
 */
export function mergedDocument(doc: Doc, existing: Doc | undefined, rules: MergeRules, vars: Vars): Doc | undefined {
  const { matched, notMatched } = rules;
  if (!existing) {
    if (notMatched === 'fail') throw new DocDbError(13113, '$merge could not find a matching document in the target collection');
    return notMatched === 'insert' ? inserted(doc, rules) : undefined;
  }
  if (matched === 'keepExisting') return undefined;
  const next = rules.combine(existing, doc, vars);
  if (next._id === undefined) return { _id: existing._id, ...next };
  if (!equal(next._id, existing._id))
    throw new DocDbError(66, "$merge failed to update the matching document: the immutable field '_id' cannot be modified");
  return next;
}

/** A new document. What is merged field by field is written in the order of the names, with the fields that decide. */
function inserted(doc: Doc, { matched, on }: MergeRules): Doc {
  if (matched !== 'merge' && matched !== 'keepExisting') return doc;
  const names = Object.keys(doc).filter((name) => name !== '_id');
  const missing = on.filter((name) => name !== '_id' && joined(doc, name) === undefined);
  let result: Doc = '_id' in doc ? { _id: doc._id } : {};
  for (const name of names.sort()) result = put(result, name, doc[name]);
  return missing.reduce<Doc>((whole, name) => withPath(whole, name.split('.'), null), result);
}
