import type { JSONSchema } from '../json-schema.ts';
import { CONTRIBUTED } from './marks.ts';
import { partsOf, type Contribution } from '@framework/core';

const MARKS: Readonly<Record<keyof Contribution, string>> = { hidden: 'hidden', writeOnly: 'writeOnly', readOnly: 'readOnly' };

/**
 * Writes contributed paths as schemas, which describe a record together with its own: one walk then knows both.
 *
 * @throws TypeError for a name that is no path, or an unknown kind of rule
 */
export function contributedSchemas(contribution: Contribution): JSONSchema[] {
  return Object.entries(contribution).flatMap(([kind, paths]) => {
    const mark = (MARKS as Readonly<Record<string, string>>)[kind];
    if (mark === undefined) throw new TypeError(`A record takes no rules '${kind}': use ${Object.keys(MARKS).join(', ')}`);
    return ((paths ?? []) as readonly string[]).map((path) => schemaAt(path, mark));
  });
}

function schemaAt(path: string, mark: string): JSONSchema {
  const parts = partsOf(path);
  if (parts.includes(''))
    throw new TypeError(`'${path}' is no path of a record: write names with dots between them, such as 'profile.token'`);
  return parts.reduceRight<JSONSchema>((inner, name) => rule({ properties: { [name]: inner } }), rule({ [mark]: true }));
}

function rule(schema: JSONSchema): JSONSchema {
  return Object.assign(schema, { [CONTRIBUTED]: true });
}
