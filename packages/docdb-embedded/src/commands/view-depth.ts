import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { MAX_VIEWS } from './leading-query.ts';

/** @returns the collections that stages read */
export function namesIn(stages: readonly Value[]): string[] {
  return stages.filter(isDocument).flatMap((stage) => {
    const [operand] = Object.values(stage);
    if (typeof operand === 'string') return '$unionWith' in stage ? [operand] : [];
    if (!isDocument(operand)) return [];
    const own = [operand.from, operand.coll].filter((name) => typeof name === 'string');
    const branches = '$facet' in stage ? Object.values(operand) : [operand.pipeline];
    return [...own, ...branches.flatMap((branch) => (Array.isArray(branch) ? namesIn(branch) : []))];
  });
}

/**
 * Looks how far down a new view leads, and how far up other views lead from it.
 *
 * @param name the view, without its database
 * @param names what it reads
 * @param collections those of its database
 * @throws DocDbError (5, 165) for views that lead back to where they begin, or too deep
 */
export function checkViewDepth(name: string, names: readonly string[], collections: readonly Collection[]): void {
  const below = new Map<string, readonly string[]>();
  for (const { ns, options, isView } of collections) if (isView) below.set(ns.slice(ns.indexOf('.') + 1), readBy(options));
  below.set(name, [...new Set(names)]);
  const above = new Map<string, string[]>();
  for (const [view, read] of below) for (const one of read) above.set(one, [...(above.get(one) ?? []), view]);
  const depth = longest(name, (view) => below.get(view)) + longest(name, (view) => above.get(view) ?? []) - 1;
  if (depth > MAX_VIEWS) throw new DocDbError(165, `View depth limit exceeded; maximum depth is ${String(MAX_VIEWS)}`);
}

function readBy({ viewOn, pipeline }: Doc): readonly string[] {
  return [...new Set([String(viewOn), ...namesIn(Array.isArray(pipeline) ? pipeline : [])])];
}

/** @returns the number of views on the longest way from one, with itself */
function longest(from: string, next: (view: string) => readonly string[] | undefined): number {
  const known = new Map<string, number>();
  const visit = (view: string, isFirst: boolean): number => {
    if (view === from && !isFirst) throw new DocDbError(5, `View cycle detected: ${from}`);
    const found = known.get(view);
    if (found !== undefined) return found;
    const following = next(view);
    const length = following === undefined ? 0 : 1 + Math.max(0, ...following.map((one) => visit(one, false)));
    known.set(view, length);
    return length;
  };
  return visit(from, true);
}
