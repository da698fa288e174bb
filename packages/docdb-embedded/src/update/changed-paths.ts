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
 * The paths that an operator may change in a document: the field as a whole, and of a list that only grows each new element.
 *
 * @param doc the document as it was
 */
export function changedPaths(doc: Doc, { operator, path, operand }: FieldChange, positions: Positions): string[] {
  if (operator === '$setOnInsert') return [];
  if (operator === '$rename') return [path.join('.'), String(operand)];
  return concretePaths(doc, path, positions).flatMap((concrete) => {
    const name = concrete.join('.');
    return (operator === '$push' ? appended(readPath(doc, concrete), operand)?.map((at) => `${name}.${String(at)}`) : undefined) ?? [name];
  });
}

/** @returns the places of what is put behind a list; `undefined` when more than that becomes of it */
function appended(list: Value, operand: Value): number[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const { $each, $position, $slice, $sort } = isDocument(operand) && '$each' in operand ? operand : ({ $each: [operand] } as Doc);
  const added = $each as Value[];
  const isWithin = $position !== undefined && Number(String($position)) <= list.length;
  const isCut = $slice !== undefined && list.length + added.length > Math.abs(Number(String($slice)));
  return $sort !== undefined || isWithin || isCut ? undefined : added.map((_value, index) => list.length + index);
}
