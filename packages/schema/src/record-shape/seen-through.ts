import type { JSONSchema } from '../json-schema.ts';
import { DATA, IN_PLACE, REFERENCES, subschemas, walkSchemas } from './keywords.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import type { Location } from './location.ts';
import { isMarked } from './marks.ts';

/** Keywords that are followed, or that hold nothing a mark could stand in. */
const FOLLOWED: ReadonlySet<string> = new Set([
  ...IN_PLACE,
  ...REFERENCES,
  ...DATA,
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', '$defs', 'definitions'],
]);

/** Types that are no data: what they hold is not known before the code runs. */
const NO_DATA: ReadonlySet<string> = new Set(['Function', 'Constructor', 'Promise', 'Iterator', 'AsyncIterator']);

/**
 * Looks at every location of a record.
 *
 * @returns all locations, each with one path to it
 * @throws Error for what can not be seen through, with its path and the cure
 */
export function seeThrough(root: Location): ReadonlyMap<Location, string> {
  if (root.marks.hidden || root.marks.writeOnly) throw new Error('A record can not be hidden as a whole: mark its properties');
  const paths = new Map<Location, string>([[root, '']]);
  for (const [location, path] of paths) {
    for (const schema of location.members) checkSchema(schema, path);
    try {
      for (const [label, child] of location.children())
        if (child && !paths.has(child)) paths.set(child, path === '' || label.startsWith('[') ? `${path}${label}` : `${path}.${label}`);
    } catch (error) {
      throw new Error(`${place(path)} can not be seen through. ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  return paths;
}

function checkSchema(schema: JSONSchema, path: string): void {
  if (typeof schema.type === 'string' && NO_DATA.has(schema.type))
    throw new Error(`${place(path)} is a ${schema.type}, which is no data: leave it out of the record`);
  if (Object.getOwnPropertySymbols(schema).some((symbol) => symbol.description === 'TypeBox.Transform'))
    throw new Error(`${place(path)} is a Type.Transform, which can not be seen through: use a resolver, or DateSchema() for dates`);
  checkMarks(schema, path);
  checkProperties(schema, path);
  for (const [keyword, value] of Object.entries(schema)) {
    if (FOLLOWED.has(keyword)) continue;
    for (const part of subschemas(keyword, value))
      walkSchemas(part, (found) => {
        if (isMarked(found))
          throw new Error(
            `${place(path)} has a mark (hidden, readOnly, writeOnly, a rule or a reference) below '${keyword}', where it can not be seen through: put it on the property itself`,
          );
      });
  }
}

/** What is no schema would take any value, or is refused by validators without its name. */
function checkProperties({ properties }: JSONSchema, path: string): void {
  for (const [name, property] of Object.entries((properties ?? {}) as Readonly<Record<string, unknown>>))
    if (typeof property !== 'boolean')
      refuseNoObject(`${place(path === '' ? name : `${path}.${name}`)} is described by a schema`, property);
}

/** A mark that does not mean anything would keep nothing from anybody. */
function checkMarks(schema: JSONSchema, path: string): void {
  for (const mark of ['hidden', 'writeOnly', 'readOnly'])
    if (schema[mark] !== undefined && typeof schema[mark] !== 'boolean')
      throw new Error(`${place(path)} has '${mark}' as a mark that is neither true nor false: write ${mark}: true, or leave it out`);
  for (const rule of ['readable', 'writable'])
    if (schema[rule] !== undefined && typeof schema[rule] !== 'function')
      throw new Error(
        `${place(path)} has a rule '${rule}' that is no function: write ${rule}: (params) => …, or hidden: true or readOnly: true for what holds for everybody`,
      );
}

function place(path: string): string {
  return path === '' ? 'The record' : `'${path}' of the record`;
}
