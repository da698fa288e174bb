import type { DescribedSchema } from '@framework/core';
import { rewritten } from './rewrite.ts';

type Definitions = Readonly<Record<string, DescribedSchema>>;

/** What was found out of the definitions of a description, which several of its schemas lead to. */
const known = new WeakMap<Definitions, ReadonlyMap<string, string>>();

/**
 * Which definitions describe the same, with all that they lead to: a schema that is written for each place where it stands is the same at most of them.
 *
 * @param definitions of one description, all of them
 * @returns by the name of each the first one that is the same
 */
export function sameDefinitions(definitions: Definitions): ReadonlyMap<string, string> {
  const before = known.get(definitions);
  if (before) return before;
  const found = firstOfEach(definitions);
  known.set(definitions, found);
  return found;
}

/** All count as the same at first. Those that differ, or lead to what differs, are told apart until nothing does any more. */
function firstOfEach(definitions: Definitions): ReadonlyMap<string, string> {
  const entries = Object.entries(definitions);
  let first = new Map<string, string>();
  for (let count = 0; ;) {
    const told = first;
    const targets = {
      definition: (name: string): DescribedSchema => ({
        $ref: `#/$defs/${told.get(name) ?? (Object.hasOwn(definitions, name) ? '' : name)}`,
      }),
      service: (path: string): DescribedSchema => ({ $ref: `service:${path}` }),
    };
    const byText = new Map<string, string>();
    first = new Map(
      entries.map(([name, schema]) => {
        const text = JSON.stringify([told.get(name), rewritten(schema, targets)]);
        if (!byText.has(text)) byText.set(text, name);
        return [name, byText.get(text) ?? name];
      }),
    );
    if (byText.size === count) return first;
    count = byText.size;
  }
}
