import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { readPath } from '../query/path-values.ts';
import { concretePaths, type Positions } from './update-paths.ts';

/** An operator of an update with a field of it. */
export interface FieldChange {
  readonly operator: string;
  readonly path: readonly string[];
  readonly operand: Value;
}

/**
 * The paths that an operator may change in a document. One that ends with a dot means the new elements of a list that only grows.
 *
 * @param doc the document as it was
 */
export function changedPaths(doc: Doc, { operator, path, operand }: FieldChange, positions: Positions): string[] {
  if (operator === '$setOnInsert') return [];
  if (operator === '$rename') return [path.join('.'), String(operand)];
  return concretePaths(doc, path, positions).map((concrete) => {
    const name = concrete.join('.');
    return operator === '$push' && isAppended(readPath(doc, concrete), operand) ? `${name}.` : name;
  });
}

/** @returns whether nothing becomes of a list but that values are put behind it */
function isAppended(list: Value, operand: Value): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const { $each, $position, $slice, $sort } = isDocument(operand) && '$each' in operand ? operand : ({ $each: [operand] } as Doc);
  const length = list.length + ($each as Value[]).length;
  const isWithin = $position !== undefined && Number(String($position)) <= list.length;
  const isCut = $slice !== undefined && length > Math.abs(Number(String($slice)));
  return $sort === undefined && !isWithin && !isCut;
}
