import { BadRequest } from '@framework/errors';
import { isPlainObject } from '@framework/query';

/** The property by which the driver knows values of its own. */
const KIND = '_bsontype';

/**
 * Looks for values that the driver would store as something else: sets, and promises that nobody has waited for, as empty objects, and dates that are none as 1970-01-01; and for plain data that it would take for a value of the database, also in calls of the server, whose data may be a caller's: what came as JSON and is
 * handed on, or such a value that was copied property by property.
 *
 * @param within what is looked through, as messages name it
 * @throws BadRequest (400)
 */
export function refuseDisguised(data: unknown, within: 'data' | 'query' = 'data'): void {
  const known = new Set<object>();
  const waiting: unknown[] = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || known.has(value)) continue;
    known.add(value);
    if (value instanceof Date && Number.isNaN(value.getTime()))
      throw new BadRequest('A date that is none can not be stored: the database would make 1970-01-01 of it');
    if (value instanceof Set || value instanceof Promise)
      throw new BadRequest(`A ${value.constructor.name} can not be stored: a record holds plain data, lists and dates`);
    if (!(KIND in value)) for (const inner of value instanceof Map ? value.values() : Object.values(value)) waiting.push(inner);
    else if (isPlainObject(value))
      throw new BadRequest(
        `'${KIND}' is not allowed in the ${within}: the driver of the database would take the object for a value of its own`,
      );
  }
}
