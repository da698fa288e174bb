import type { JSONSchema } from '../json-schema.ts';
import { CONTRIBUTED } from './marks.ts';
import { partsOf, type Contribution } from '@framework/core';

const KINDS = ['hidden', 'writeOnly', 'readOnly'] as const;

/** One rule for one path. */
export interface ContributedRule {
  readonly kind: keyof Contribution;
  readonly path: string;
  /** The rule as a schema, which describes a record together with its own: one walk then knows both. */
  readonly schema: JSONSchema;
}

/**
 * Takes a contribution apart.
 *
 * @throws TypeError for a name that is no path, or an unknown kind of rule
 */
export function contributedRulesOf(contribution: Contribution): ContributedRule[] {
  for (const kind of Object.keys(contribution))
    if (!(KINDS as readonly string[]).includes(kind)) throw new TypeError(`A record takes no rules '${kind}': use ${KINDS.join(', ')}`);
  return KINDS.flatMap((kind) => (contribution[kind] ?? []).map((path) => ({ kind, path, schema: schemaAt(path, kind) })));
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
