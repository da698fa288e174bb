import type { AnySchema } from '../validation/data-validator.ts';
import { isStandardSchema } from '../validation/standard-schema.ts';
import { locationOf, type Location } from './location.ts';
import { mayBeObject } from './parts.ts';
import { References } from './references.ts';

/**
 * Refuses schemas of whole records, or of their data, that no object fits: each call would be refused.
 *
 * @param root the location of a whole record
 * @param apart schemas that are written by themselves, by the option of `serviceSchema` that has them
 * @param foreign gives what a schema refers to elsewhere
 * @throws TypeError that names what the schema takes
 */
export function refuseNoObjects(
  root: Location,
  apart: Readonly<Record<string, AnySchema | undefined>>,
  foreign: (reference: string) => unknown,
): void {
  refuseNoObject('record', root);
  for (const [name, schema] of Object.entries(apart))
    if (schema !== undefined && !isStandardSchema(schema)) refuseNoObject(name, locationOf(schema, new References(schema, foreign)));
}

function refuseNoObject(option: string, root: Location): void {
  if (mayBeObject(root.members)) return;
  const types = [...new Set(root.members.flatMap(({ type = [] }) => type))];
  throw new TypeError(
    `The option '${option}' of serviceSchema() takes the schema of an object, and this one takes ${types.join(' or ')}: describe one record, as Type.Object({ … })`,
  );
}
