import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { keyText } from '../query/value-set.ts';
import type { Env, Evaluate } from './expression.ts';

interface Partition {
  readonly key: Value;
  readonly members: Doc[];
}

/**
 * @returns documents with the same key together, in the order of their keys
 * @throws DocDbError (14) for a key that is a list
 */
export function partitions(docs: readonly Doc[], vars: Env['vars'], by: Evaluate, collator: Collator | undefined): Doc[][] {
  const known = new Map<string, Partition[]>();
  for (const root of docs) {
    const key = by({ root, vars });
    if (Array.isArray(key)) throw new DocDbError(14, 'An expression used to partition cannot evaluate to value of type array');
    const text = keyText(key, collator);
    const alike = known.get(text);
    const same = collator ? alike?.find((one) => compare(one.key ?? null, key ?? null, collator) === 0) : alike?.[0];
    if (same) same.members.push(root);
    else if (alike) alike.push({ key, members: [root] });
    else known.set(text, [{ key, members: [root] }]);
  }
  return [...known.values()]
    .flat()
    .sort((a, b) => compare(a.key, b.key, collator))
    .map(({ members }) => members);
}
