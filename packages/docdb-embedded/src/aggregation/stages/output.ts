import { equal } from '../../bson/compare.ts';
import { type Doc, isDocument, setOwn, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import type { PipelineContext, Vars } from '../pipeline-types.ts';

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
}

/** @throws DocDbError (16990) for what names no collection */
export function outputTarget(stage: string, value: Value): OutputTarget {
  if (typeof value === 'string') return { database: undefined, name: value };
  if (isDocument(value) && typeof value.coll === 'string') return { database: value.db as string | undefined, name: value.coll };
  throw new DocDbError(16990, `${stage} only supports a string or object argument`);
}

const MATCHED: ReadonlySet<string> = new Set(['replace', 'keepExisting', 'merge', 'fail']);
const NOT_MATCHED: ReadonlySet<string> = new Set(['insert', 'discard', 'fail']);

/** @throws DocDbError (2, 9, 16990) for what is no valid `$merge` */
export function mergeRules(operand: Value): MergeRules {
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
  return { target, on, matched, notMatched };
}

/** @returns the filter of the document that a document is merged with */
export function mergeFilter(doc: Doc, { on }: MergeRules): Doc {
  return Object.fromEntries(on.map((name) => [name, { $eq: doc[name] ?? null }]));
}

/**
 * What a merge makes of a document.
 *
 * @param existing the document that it is merged with
 * @returns the document to write; `undefined` for none
 * @throws DocDbError (66, 11000, 13113)
 */
export function mergedDocument(
  doc: Doc,
  existing: Doc | undefined,
  rules: MergeRules,
  context: PipelineContext,
  vars: Vars,
): Doc | undefined {
  const { on, matched, notMatched } = rules;
  if (!existing) {
    if (notMatched === 'fail') throw new DocDbError(13113, '$merge could not find a matching document in the target collection');
    return notMatched === 'insert' ? doc : undefined;
  }
  if (matched === 'fail')
    throw new DocDbError(11000, `E11000 duplicate key error in $merge on ${on.join(', ')}`, {
      keyPattern: Object.fromEntries(on.map((name) => [name, 1])),
      keyValue: Object.fromEntries(on.map((name) => [name, doc[name] ?? null])),
    });
  if (matched === 'keepExisting') return undefined;
  const next = combined(existing, doc, matched, context, vars);
  if (!equal(next._id, existing._id))
    throw new DocDbError(66, "$merge failed to update the matching document: the immutable field '_id' cannot be modified");
  return next;
}

function combined(existing: Doc, doc: Doc, matched: Value, context: PipelineContext, vars: Vars): Doc {
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
