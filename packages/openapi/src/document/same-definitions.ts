import type { DescribedSchema } from '@framework/core';
import { rewritten } from './rewrite.ts';

type Definitions = Readonly<Record<string, DescribedSchema>>;

/** What was found out of the definitions of a description, which several of its schemas lead to. */
const known = new WeakMap<Definitions, ReadonlyMap<string, string>>();

/**
 * Which definitions describe the same, with all that they lead to: a schema that is written for each place where it stands is the same at most of them. What
 * its author called by another name is another one, whatever it describes.
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

/** All of one name count as the same at first. Those that differ, or lead to what differs, are told apart until nothing does any more. */
function firstOfEach(definitions: Definitions): ReadonlyMap<string, string> {
  const entries = Object.entries(definitions);
  let first = new Map(entries.map(([name]) => [name, nameBefore(name, definitions)]));
  for (let count = 0; ;) {
    const told = first;
    const targets = {
      definition: (name: string): DescribedSchema => ({ $ref: `#/$defs/${told.get(name) ?? name}` }),
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

/** Whoever writes definitions puts a number behind a name that is taken. @returns the name without it, where it is that of another definition */
function nameBefore(name: string, definitions: Definitions): string {
  const digits = /\d*$/.exec(name)?.[0].length ?? 0;
  for (let end = name.length - digits; end < name.length; end += 1) {
    const before = name.slice(0, end);
    if (/^(?:[2-9]|[1-9]\d+)$/.test(name.slice(end)) && Object.hasOwn(definitions, before)) return before;
  }
  return name;
}
