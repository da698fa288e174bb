import { matches } from './plain-filter.ts';
import { at, isDoc, order, type Plain, type PlainDoc, Refused, same, withAt } from './plain-values.ts';

/** What the manual says of an expression, for the operators that the test uses. */
export function evaluate(expression: Plain, doc: PlainDoc): Plain {
  if (typeof expression === 'string' && expression.startsWith('$')) return expression === '$$ROOT' ? doc : at(doc, expression.slice(1));
  if (Array.isArray(expression)) return expression.map((entry: Plain) => evaluate(entry, doc) ?? null);
  if (!isDoc(expression)) return expression;
  const [name = ''] = Object.keys(expression);
  if (!name.startsWith('$'))
    return Object.fromEntries(
      Object.entries(expression)
        .map(([field, value]) => [field, evaluate(value, doc)] as const)
        .filter(([, value]) => value !== undefined),
    );
  const operand = expression[name];
  if (name === '$literal') return operand;
  const args = (Array.isArray(operand) ? operand : [operand]) as readonly Plain[];
  if (name === '$cond') return isTrue(evaluate(args[0], doc)) ? evaluate(args[1], doc) : evaluate(args[2], doc);
  if (name === '$ifNull') {
    for (const arg of args.slice(0, -1)) {
      const value = evaluate(arg, doc);
      if (value !== null && value !== undefined) return value;
    }
    return evaluate(args.at(-1), doc);
  }
  if (name === '$and') return args.every((arg) => isTrue(evaluate(arg, doc)));
  if (name === '$or') return args.some((arg) => isTrue(evaluate(arg, doc)));
  return applied(
    name,
    args.map((arg) => evaluate(arg, doc)),
  );
}

function isTrue(value: Plain): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0;
}

const ORDERS: Readonly<Record<string, (found: number) => boolean>> = {
  $eq: (found) => found === 0,
  $ne: (found) => found !== 0,
  $gt: (found) => found > 0,
  $gte: (found) => found >= 0,
  $lt: (found) => found < 0,
  $lte: (found) => found <= 0,
};

function applied(name: string, values: readonly Plain[]): Plain {
  const [a, b] = values;
  const compared = ORDERS[name];
  if (compared) return compared(order(a, b));
  if (name === '$not') return !isTrue(a);
  if (name === '$size') {
    if (!Array.isArray(a)) throw new Refused(name);
    return a.length;
  }
  if (name === '$concat') return folded(values, 'string', (found) => found.join(''));
  if (name === '$add') return folded(values, 'number', (found) => (found as number[]).reduce((sum, value) => sum + value, 0));
  if (name === '$multiply') return folded(values, 'number', (found) => (found as number[]).reduce((product, value) => product * value, 1));
  if (name === '$subtract' && values.some((value) => value === null || value === undefined)) return null;
  if (name === '$subtract') return folded(values, 'number', (found) => (found[0] as number) - (found[1] as number));
  throw new Refused(name);
}

/** Null and what is missing make the whole null, from left to right; another type is refused. */
function folded(values: readonly Plain[], type: string, of: (values: (number | string)[]) => Plain): Plain {
  for (const value of values) {
    if (value === null || value === undefined) return null;
    if (typeof value !== type) throw new Refused(type);
  }
  const result = of(values as (number | string)[]);
  return Object.is(result, -0) ? 0 : result;
}

/** What the manual says of each stage. */
export function runPlain(docs: readonly PlainDoc[], pipeline: readonly PlainDoc[]): readonly PlainDoc[] {
  return pipeline.reduce<readonly PlainDoc[]>((current, stage) => {
    const [name = ''] = Object.keys(stage);
    const run = STAGES[name];
    if (!run) throw new Refused(name);
    return run(current, stage[name]);
  }, docs);
}

const STAGES: Readonly<Record<string, (docs: readonly PlainDoc[], operand: Plain) => readonly PlainDoc[]>> = {
  $match: (docs, filter) => docs.filter((doc) => matches(doc, filter as PlainDoc)),
  $set: (docs, fields) =>
    docs.map((doc) =>
      Object.entries(fields as PlainDoc).reduce((result, [path, value]) => withAt(result, path, added(at(doc, path), value, doc)), doc),
    ),
  $project: (docs, fields) => docs.map((doc) => projected(doc, fields as PlainDoc)),
  $unwind: (docs, operand) => docs.flatMap((doc) => unwound(doc, operand as PlainDoc)),
  $sort: (docs, keys) => [...docs].sort((a, b) => sorted(a, b, keys as PlainDoc)),
  $limit: (docs, count) => docs.slice(0, count as number),
  $skip: (docs, count) => docs.slice(count as number),
  $group: (docs, operand) => grouped(docs, operand as PlainDoc),
};

/** A document of fields is added to what is there: to its fields, to each entry of a list, in place of anything else. */
function added(before: Plain, value: Plain, doc: PlainDoc): Plain {
  if (!isDoc(value) || Object.keys(value)[0]?.startsWith('$') !== false) return evaluate(value, doc);
  if (Array.isArray(before)) return before.map((entry: Plain) => added(entry, value, doc));
  const fields = Object.entries(value).map(([name, inner]) => [name, added(isDoc(before) ? before[name] : undefined, inner, doc)] as const);
  return Object.fromEntries([...Object.entries(isDoc(before) ? before : {}), ...fields].filter(([, inner]) => inner !== undefined));
}

function projected(doc: PlainDoc, fields: PlainDoc): PlainDoc {
  const entries = Object.entries(fields);
  if (entries.some(([, value]) => value === 0))
    return entries.reduce((result, [path]) => (at(doc, path) === undefined ? result : withAt(result, path, undefined)), doc);
  const shown = entries.filter(([, value]) => value === 1).map(([path]) => path);
  let result: PlainDoc = { _id: doc._id };
  for (const path of shown) {
    const [head = '', inner] = path.split('.');
    const value = at(doc, path);
    if (value !== undefined) result = withAt(result, path, value);
    else if (inner !== undefined && isDoc(doc[head])) result = withAt(result, head, isDoc(result[head]) ? result[head] : {});
  }
  for (const [path, value] of entries) if (value !== 1) result = withAt(result, path, evaluate(value, doc));
  return result;
}

function unwound(doc: PlainDoc, { path, preserveNullAndEmptyArrays: preserve, includeArrayIndex: index }: PlainDoc): PlainDoc[] {
  const name = (path as string).slice(1);
  const value = at(doc, name);
  const numbered = (row: PlainDoc, number: Plain): PlainDoc => (typeof index === 'string' ? withAt(row, index, number) : row);
  if (Array.isArray(value) && value.length > 0) return value.map((entry: Plain, place) => numbered(withAt(doc, name, entry), place));
  if (value !== undefined && value !== null && !Array.isArray(value)) return [numbered(doc, null)];
  return preserve === true ? [numbered(Array.isArray(value) ? withAt(doc, name, undefined) : doc, null)] : [];
}

/** A list is sorted by its least element, or downwards by its greatest; an empty one is below null. */
function sortKey(value: Plain, direction: number): { readonly empty: boolean; readonly value: Plain } {
  if (!Array.isArray(value)) return { empty: false, value: value ?? null };
  const [best] = [...(value as readonly Plain[])].sort((a, b) => order(a, b) * direction);
  return { empty: value.length === 0, value: best };
}

function sorted(a: PlainDoc, b: PlainDoc, keys: PlainDoc): number {
  for (const [path, direction] of Object.entries(keys)) {
    const [left, right] = [sortKey(at(a, path), direction as number), sortKey(at(b, path), direction as number)];
    const found = left.empty || right.empty ? Number(right.empty) - Number(left.empty) : order(left.value, right.value);
    if (found !== 0) return found * (direction as number);
  }
  return 0;
}

function grouped(docs: readonly PlainDoc[], { _id: id, ...fields }: PlainDoc): PlainDoc[] {
  const groups: { readonly id: Plain; readonly docs: PlainDoc[] }[] = [];
  for (const doc of docs) {
    const key = evaluate(id, doc) ?? null;
    const known = groups.find((group) => same(group.id, key));
    if (known) known.docs.push(doc);
    else groups.push({ id: key, docs: [doc] });
  }
  return groups.map((group) => ({
    _id: group.id,
    ...Object.fromEntries(Object.entries(fields).map(([name, spec]) => [name, accumulated(spec as PlainDoc, group.docs)])),
  }));
}

function accumulated(spec: PlainDoc, docs: readonly PlainDoc[]): Plain {
  const [name = ''] = Object.keys(spec);
  const values = docs.map((doc) => evaluate(spec[name], doc));
  const numbers = values.filter((value) => typeof value === 'number');
  const present = values.filter((value) => value !== undefined);
  const known = present.filter((value) => value !== null);
  switch (name) {
    case '$sum':
      return numbers.reduce((sum, value) => sum + value, 0);
    case '$avg':
      return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    case '$min':
      return known.reduce<Plain>((least, value) => (least === undefined || order(value, least) < 0 ? value : least), undefined) ?? null;
    case '$max':
      return known.reduce<Plain>((most, value) => (most === undefined || order(value, most) > 0 ? value : most), undefined) ?? null;
    case '$push':
      return present;
    case '$first':
      return values[0] ?? null;
    case '$last':
      return values.at(-1) ?? null;
    case '$addToSet':
      return present.filter((value, index) => present.findIndex((other) => same(other, value)) === index).sort(order);
    default:
      throw new Refused(name);
  }
}
