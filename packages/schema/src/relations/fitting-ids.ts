import type { RecordShape } from '../record-shape/record-shape.ts';

/** @returns whether a query may ask for records by these values of a property */
export type AsksBy = (property: string, values: readonly unknown[]) => Promise<boolean>;

const checks = new WeakMap<RecordShape, AsksBy>();

/** Makes known how queries of the records of a shape are checked. */
export function rememberCheck(shape: RecordShape, asksBy: AsksBy): void {
  checks.set(shape, asksBy);
}

/**
 * Leaves out what the service's records can not have as their id: it would be refused, and all others with it.
 *
 * @param shape what describes the records; `undefined` where nothing does
 * @param property name of the id
 * @param ids as many as one query takes
 */
export async function fittingIds(shape: RecordShape | undefined, property: string, ids: readonly unknown[]): Promise<readonly unknown[]> {
  const asksBy = shape && checks.get(shape);
  if (asksBy === undefined || (await asksBy(property, ids))) return ids;
  const fits = await Promise.all(ids.map((id) => asksBy(property, [id])));
  return ids.filter((_id, index) => fits[index]);
}
