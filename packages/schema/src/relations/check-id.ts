import { IDS } from '../record-shape/ids.ts';
import type { RecordShape } from '../record-shape/record-shape.ts';

/**
 * Looks whether a record describes the id by the name that its service gives it: otherwise callers get records without one.
 *
 * @param service the service of the records
 * @param path of the service
 * @throws Error for a record that describes the id by another name, with the cure
 */
export function checkId({ root }: RecordShape, service: object, path: string): void {
  const { id } = service as { readonly id?: unknown };
  // Services without a name for it give it whatever name they like.
  if (typeof id !== 'string' || root.step(id) !== undefined || root.open) return;
  const other = IDS.find((name) => root.names.includes(name));
  if (other === undefined) return;
  throw new Error(
    `The record of '${path}' describes '${other}', and its service calls the id '${id}': give the service the option id: '${other}', or describe '${id}', as Hidden(…) where callers are not to see it`,
  );
}
