import { hashKey } from '../../bson/hash-key.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { pathValues } from '../../query/path-values.ts';
import { roughSize } from '../../spill/rough-size.ts';
import { compileExpression } from '../expression.ts';
import { filterWith } from '../filter-with.ts';
import { checkKept } from '../in-order.ts';
import type { OtherPipeline, StageCompiler, Vars } from '../pipeline-types.ts';
import { withNested } from '../set-path.ts';
import { EqualityJoin } from './equality-join.ts';
import { atOnce, type InTurns } from './in-turns.ts';
import { insideOf, source, sourceName } from './join-source.ts';
import { lookup, overCollection } from './lookup.ts';

const graphLookup: StageCompiler = (operand, context) => {
  if (!isDocument(operand)) throw failedToParse('the $graphLookup stage specification must be an object');
  const { from, startWith, connectFromField, connectToField, as, maxDepth, depthField, restrictSearchWithMatch } = operand;
  if (typeof connectFromField !== 'string' || typeof connectToField !== 'string' || typeof as !== 'string') {
    throw new DocDbError(40105, "$graphLookup requires 'connectFromField', 'connectToField' and 'as' to be specified");
  }
  const collection = source(sourceName('$graphLookup', from), context);
  const start = compileExpression(startWith, context.scope);
  const most = isNumber(maxDepth) ? Number(String(maxDepth)) : Infinity;
  const restrict = isDocument(restrictSearchWithMatch) ? restrictSearchWithMatch : {};
  const fromPath = connectFromField.split('.');
  const equal = new EqualityJoin(collection, connectToField, context, Infinity);
  const turns = function* (docs: Doc[], vars: Vars): InTurns<Doc[]> {
    const allowed = filterWith(restrict, context.scope, vars);
    const rows: Doc[] = [];
    for (const doc of docs) {
      const first = start({ root: doc, vars });
      let frontier: Value[] = Array.isArray(first) ? (first as Value[]) : first === undefined ? [] : [first];
      const seen = new Map<string, Doc>();
      let bytes = 0;
      for (let depth = 0; depth <= most && frontier.length > 0; depth++) {
        const next: Value[] = [];
        const [reached = []] = yield* equal.find([frontier]);
        for (const found of reached) {
          const key = hashKey(found._id);
          if (seen.has(key) || !allowed(found)) continue;
          bytes += roughSize(found);
          checkKept('$graphLookup', bytes);
          seen.set(key, typeof depthField === 'string' ? withNested(found, depthField.split('.'), BigInt(depth)) : found);
          for (const value of pathValues(found, fromPath)) {
            if (Array.isArray(value)) for (const entry of value as Value[]) next.push(entry);
            else if (value !== undefined && value !== null) next.push(value);
          }
        }
        frontier = next;
      }
      rows.push(withNested(doc, as.split('.'), [...seen.values()]));
    }
    return rows;
  };
  return { run: (docs, vars) => atOnce(turns(docs, vars)), turns };
};

/**
 * @returns the pipeline that a `$unionWith` adds the documents of
 * @throws DocDbError (9, 73, 31441)
 */
function unionPipeline(operand: Value): OtherPipeline {
  const spec: Value = typeof operand === 'string' ? { coll: operand } : operand;
  if (!isDocument(spec)) throw failedToParse('the $unionWith stage specification must be an object or string');
  const stages: readonly Value[] = Array.isArray(spec.pipeline) ? spec.pipeline : [];
  for (const stage of stages)
    if (isDocument(stage) && ('$out' in stage || '$merge' in stage)) throw new DocDbError(31441, 'a pipeline of $unionWith may not write');
  return { collection: spec.coll === undefined ? undefined : sourceName('$unionWith', spec), stages };
}

/** Inside of other stages, which have all of their documents at once, it reads all that it adds. */
const unionWith: StageCompiler = (operand, context) => {
  const other = unionPipeline(operand);
  if (context.open) return { run: (docs) => docs, more: context.open(other) };
  const { collection, stages } = other;
  const run = overCollection(stages, insideOf('$unionWith', collection, context), collection && source(collection, context));
  const whole = function* (docs: Doc[], vars: Vars): InTurns<Doc[]> {
    const [added = []] = yield* run(undefined, [vars]);
    return [...docs, ...added];
  };
  return { run: (docs, vars) => atOnce(whole(docs, vars)), whole };
};

/** Stages that read other collections. */
export const joinStages: Readonly<Record<string, StageCompiler>> = { $lookup: lookup, $graphLookup: graphLookup, $unionWith: unionWith };
