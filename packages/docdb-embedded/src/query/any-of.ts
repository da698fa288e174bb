import type { Collator } from '../bson/collation.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument, own, typeName, type Value } from '../bson/values.ts';
import type { Predicate } from './matcher.ts';
import { elementsOf, pathValues } from './path-values.ts';
import { hasOperators } from './value-tests.ts';

/** Fewer branches are tested one after the other. */
const MANY = 16;

/**
 * A test whether one of several branches matches. Of many that ask a field for values only those are tested whose value is
 * there.
 *
 * @param tests what the branches were compiled to
 */
export function anyOf(branches: readonly Doc[], tests: readonly Predicate[], collator: Collator | undefined): Predicate {
  const field = branches.length < MANY ? undefined : mostAsked(branches, collator);
  if (field === undefined) return (doc) => tests.some((test) => test(doc));
  const byValue = new Map<string, Predicate[]>();
  const others: Predicate[] = [];
  for (const [at, branch] of branches.entries()) {
    const test = tests[at] as Predicate;
    const value = equality(own(branch, field));
    if (!isHashable(value, collator)) others.push(test);
    else {
      const key = hashKey(value);
      const known = byValue.get(key);
      if (known) known.push(test);
      else byValue.set(key, [test]);
    }
  }
  const path = field.split('.');
  const hits = (value: Value, doc: Doc): boolean => byValue.get(hashKey(value))?.some((test) => test(doc)) === true;
  return (doc) =>
    others.some((test) => test(doc)) ||
    pathValues(doc, path).some((value) => hits(value, doc) || elementsOf(value).some((element) => hits(element, doc)));
}

/** @returns the field that most branches ask for a value, if that is more than half of them */
function mostAsked(branches: readonly Doc[], collator: Collator | undefined): string | undefined {
  const counts = new Map<string, number>();
  for (const branch of branches)
    for (const name of Object.keys(branch))
      if (!name.startsWith('$') && isHashable(equality(branch[name]), collator)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [name, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), ['', 0]);
  return count > branches.length / 2 ? name : undefined;
}

/** @returns the value that a condition asks for; `undefined` for another condition */
export function equality(condition: Value): Value {
  if (!isDocument(condition) || !hasOperators(condition)) return condition;
  return Object.keys(condition).length === 1 ? condition.$eq : undefined;
}

/** Null is also what is missing, patterns find more than themselves, and a collation makes other texts equal. */
function isHashable(value: Value, collator: Collator | undefined): boolean {
  const type = typeName(value);
  if (type === 'missing' || type === 'null' || type === 'regex') return false;
  return !collator || !['string', 'symbol', 'object', 'array'].includes(type);
}
