import type { Location } from './location.ts';
import { mayBeObject } from './parts.ts';

/**
 * Refuses a schema of whole records, or of their data, that no object fits: each call would be refused.
 *
 * @param option of `serviceSchema` that has the schema
 * @param root the location of a whole record
 * @throws TypeError that names what the schema takes
 */
export function refuseNoObject(option: string, root: Location): void {
  if (mayBeObject(root.members)) return;
  const types = [...new Set(root.members.flatMap(({ type = [] }) => type))];
  throw new TypeError(
    `The option '${option}' of serviceSchema() takes the schema of an object, and this one takes ${types.join(' or ')}: describe one record, as Type.Object({ … })`,
  );
}
