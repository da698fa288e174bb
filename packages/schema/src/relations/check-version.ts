import { describeService } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import type { RecordShape } from '../record-shape/record-shape.ts';

/**
 * Looks whether a record describes the version that its service keeps in it as what it is, a text: otherwise no query finds it, and no record that was
 * read can be sent back.
 *
 * @param service the service of the records
 * @param path of the service
 * @throws Error for a record that describes the version as something else, with the cure
 */
export function checkVersion({ root }: RecordShape, service: object, path: string): void {
  const name = describeService(service)?.collection?.version;
  const described = name === undefined ? [] : (root.step(name)?.members ?? []).filter(saysWhat);
  if (name === undefined || described.length === 0 || described.some(isAnyText)) return;
  throw new Error(
    `The record of '${path}' describes '${name}' as something else than any text, and its service keeps the version of each record there, a text that it makes: ` +
      `describe '${name}' as ReadOnly(Type.String()), or give the option 'version' another name`,
  );
}

/** Whether a schema says what a value is. */
function saysWhat({ type, enum: literals, const: literal, date, objectid }: JSONSchema): boolean {
  return [type, literals, literal, date, objectid].some((said) => said !== undefined);
}

/** Lengths and patterns may be those of the texts that a service makes; forms and lists of texts are not. */
function isAnyText({ type, enum: literals, const: literal, format, objectid }: JSONSchema): boolean {
  return [type].flat().includes('string') && [literals, literal, format, objectid].every((said) => said === undefined);
}
