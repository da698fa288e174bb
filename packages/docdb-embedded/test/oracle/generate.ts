import type { Random } from '@framework-internal/random';
import type { Plain, PlainDoc } from './plain-values.ts';

const TEXTS = ['a', 'b', 'c'];
const SCALARS = ['a', 'b', 'e'];

function scalar(random: Random): Plain {
  if (random.oneIn(8)) return null;
  if (random.oneIn(3)) return random.pick(TEXTS);
  return random.below(9) - 3;
}

function list(random: Random): Plain[] {
  return Array.from({ length: random.below(4) }, () => scalar(random));
}

/** Documents whose fields a, b and e hold scalars, l lists and d documents, when they are there. */
export function documents(random: Random): PlainDoc[] {
  return Array.from({ length: 3 + random.below(6) }, (_unused, index) => {
    const doc: Record<string, Plain> = { _id: index };
    for (const name of SCALARS) if (!random.oneIn(4)) doc[name] = scalar(random);
    if (!random.oneIn(4)) doc.l = list(random);
    if (!random.oneIn(4))
      doc.d = random.oneIn(6) ? scalar(random) : { x: scalar(random), ...(random.oneIn(3) ? {} : { y: scalar(random) }) };
    return doc;
  });
}

const path = (random: Random): string => random.pick([...SCALARS, 'l', 'd.x', 'd.y', 'm']);

function condition(random: Random, depth = 0): Plain {
  const name = random.pick([
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$nin',
    '$exists',
    '$size',
    '$all',
    '$elemMatch',
    '$not',
    'plain',
  ]);
  const value = (): Plain => random.pick([random.below(9) - 3, random.pick(TEXTS)]);
  if (name === 'plain') return random.oneIn(5) ? null : value();
  if (name === '$in' || name === '$nin') return { [name]: [value(), value(), ...(random.oneIn(4) ? [null] : [])] };
  if (name === '$all') return { $all: [value(), ...(random.oneIn(2) ? [value()] : [])] };
  if (name === '$exists') return { $exists: random.oneIn(2) };
  if (name === '$size') return { $size: random.below(4) };
  if (name === '$elemMatch') return { $elemMatch: { [random.pick(['$gt', '$lt', '$eq'])]: value(), $ne: value() } };
  if (name === '$not') return depth > 0 ? { $eq: value() } : { $not: { [random.pick(['$gt', '$lte', '$in'])]: value() } };
  return { [name]: value() };
}

/** A filter of one to three conditions, perhaps joined by `$and`, `$or` or `$nor`. */
export function filter(random: Random): PlainDoc {
  const one = (): PlainDoc => {
    const made = condition(random);
    // `$in` needs a list, which `$not` above does not give it.
    const text = JSON.stringify(made);
    return { [path(random)]: /"\$not":\{"\$in"/.test(text) ? { $not: { $in: [random.below(5), 'a'] } } : made };
  };
  if (random.oneIn(3)) return { [random.pick(['$and', '$or', '$nor'])]: [one(), one(), ...(random.oneIn(2) ? [one()] : [])] };
  return random.oneIn(3) ? { ...one(), ...one() } : one();
}

/** An expression over the fields. */
export function expression(random: Random, depth = 0): Plain {
  const inner = (): Plain => expression(random, depth + 1);
  if (depth > 2 || random.oneIn(3)) return random.oneIn(3) ? { $literal: scalar(random) } : `$${random.pick([...SCALARS, 'd.x', 'm'])}`;
  const name = random.pick([
    '$add',
    '$subtract',
    '$multiply',
    '$concat',
    '$cond',
    '$ifNull',
    '$eq',
    '$gt',
    '$lt',
    '$ne',
    '$and',
    '$or',
    '$not',
    '$size',
    'object',
    'list',
  ]);
  if (name === 'object') return { p: inner(), q: inner() };
  if (name === 'list') return [inner(), inner()];
  if (name === '$cond') return { $cond: [inner(), inner(), inner()] };
  // Of what is never true or never false a server looks at nothing else.
  if (name === '$and' || name === '$or') {
    const open = (): Plain => ({ [random.pick(['$gt', '$lt', '$ne'])]: [`$${random.pick(SCALARS)}`, inner()] });
    return { [name]: [open(), open()] };
  }
  if (name === '$not') return { $not: [inner()] };
  if (name === '$size') return { $size: '$l' };
  if (name === '$add' || name === '$multiply' || name === '$subtract') {
    const number = (): Plain => ({ $cond: [{ $gt: [inner(), 1] }, random.below(5), random.oneIn(6) ? `$${random.pick(SCALARS)}` : -2] });
    return { [name]: [number(), number()] };
  }
  if (name === '$concat') return { $concat: [random.oneIn(5) ? `$${random.pick(SCALARS)}` : random.pick(TEXTS), random.pick(TEXTS)] };
  return { [name]: [inner(), inner()] };
}

function stage(random: Random): PlainDoc {
  const name = random.pick(['$match', '$match', '$set', '$project', '$project', '$unwind', '$sort', '$limit', '$skip']);
  switch (name) {
    case '$match':
      return { $match: filter(random) };
    case '$set':
      return {
        $set: { [random.pick(['a', 'm', 'd.x', 'd.z'])]: expression(random), ...(random.oneIn(2) ? { b: expression(random) } : {}) },
      };
    case '$project':
      if (random.oneIn(3)) return { $project: { [random.pick(SCALARS)]: 0, [random.pick(['l', 'd.x', 'm'])]: 0 } };
      return {
        $project: { [random.pick(SCALARS)]: 1, [random.pick(['l', 'd.x', 'd'])]: 1, ...(random.oneIn(2) ? { n: expression(random) } : {}) },
      };
    case '$unwind':
      return {
        $unwind: {
          path: random.pick(['$l', '$l', '$a']),
          preserveNullAndEmptyArrays: random.oneIn(2),
          ...(random.oneIn(3) ? { includeArrayIndex: 'i' } : {}),
        },
      };
    case '$sort':
      return { $sort: { [path(random)]: random.oneIn(2) ? 1 : -1, ...(random.oneIn(2) ? { [random.pick(['_id', 'b'])]: -1 } : {}) } };
    default:
      return { [name]: 1 + random.below(5) };
  }
}

/** A pipeline of up to four stages, perhaps with a group at its end. */
export function pipeline(random: Random): PlainDoc[] {
  const stages = Array.from({ length: 1 + random.below(4) }, () => stage(random));
  if (!random.oneIn(3)) return stages;
  const operand = (): Plain => {
    const made = random.oneIn(2) ? `$${path(random)}` : expression(random);
    // A list stands for several operands, and an accumulator takes one.
    return Array.isArray(made) ? { p: made } : made;
  };
  const accumulator = (): PlainDoc => ({
    [random.pick(['$sum', '$avg', '$min', '$max', '$push', '$first', '$last', '$addToSet'])]: operand(),
  });
  const id = random.pick<Plain>([null, '$a', '$b', '$d.x', { k: '$a', j: '$e' }, '$l']);
  return [...stages, { $group: { _id: id, u: accumulator(), v: accumulator() } }];
}

/** An update of one to three fields. */
export function update(random: Random): PlainDoc {
  const fields = ['a', 'b', 'e', 'l', 'd.x', 'd.z', 'm', 'n'];
  const result: Record<string, Record<string, Plain>> = {};
  for (let count = 1 + random.below(3); count > 0; count--) {
    const field = fields.splice(random.below(fields.length), 1)[0] ?? 'a';
    const [name, operand] = change(random, field);
    result[name] = { ...result[name], [field]: operand };
  }
  return result;
}

function change(random: Random, field: string): readonly [string, Plain] {
  const number = (): number => random.below(7) - 3;
  const onList = ['$push', '$addToSet', '$pull', '$pullAll', '$pop'];
  const name =
    field === 'l' || random.oneIn(6)
      ? random.pick([...onList, '$set', '$unset'])
      : random.pick(['$set', '$unset', '$inc', '$mul', '$min', '$max', '$rename']);
  switch (name) {
    case '$inc':
    case '$mul':
      return [name, number()];
    case '$pop':
      return [name, random.oneIn(2) ? 1 : -1];
    case '$rename':
      return [name, random.oneIn(2) ? `r${field.replace('.', '')}` : `s${field.replace('.', '')}`];
    case '$pull':
      return [name, random.oneIn(2) ? scalar(random) : { [random.pick(['$gt', '$lt', '$in'])]: random.below(3) }].map((part) =>
        fixIn(part),
      ) as [string, Plain];
    case '$pullAll':
      return [name, list(random)];
    case '$push':
      if (random.oneIn(2)) return [name, scalar(random)];
      return [
        name,
        {
          $each: list(random),
          ...(random.oneIn(2) ? { $position: random.below(5) - 2 } : {}),
          ...(random.oneIn(2) ? { $sort: random.oneIn(2) ? 1 : -1 } : {}),
          ...(random.oneIn(2) ? { $slice: random.below(7) - 3 } : {}),
        },
      ];
    default:
      return [name, name === '$unset' ? '' : random.oneIn(6) ? list(random) : scalar(random)];
  }
}

function fixIn(part: Plain): Plain {
  return typeof part === 'object' && part !== null && '$in' in part ? { $in: [part.$in as Plain, 'a'] } : part;
}
