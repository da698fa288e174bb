import { at, isDoc, order, type Plain, type PlainDoc, Refused, same } from './plain-values.ts';

/** What the manual says of a filter, for the operators that the test uses. */
export function matches(doc: PlainDoc, filter: PlainDoc): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    const branches = Array.isArray(condition) ? (condition as readonly PlainDoc[]) : [];
    if (name === '$and') return branches.every((branch) => matches(doc, branch));
    if (name === '$or') return branches.some((branch) => matches(doc, branch));
    if (name === '$nor') return !branches.some((branch) => matches(doc, branch));
    return holds(at(doc, name), condition);
  });
}

/** Whether a value meets a condition; of a list one element may meet it. */
export function holds(value: Plain, condition: Plain): boolean {
  if (!isDoc(condition) || !Object.keys(condition).some((name) => name.startsWith('$'))) return equal(value, condition);
  return Object.entries(condition).every(([name, operand]) => operator(value, name, operand));
}

function any(value: Plain, test: (one: Plain) => boolean): boolean {
  return test(value) || (Array.isArray(value) && value.some((one: Plain) => test(one)));
}

function equal(value: Plain, wanted: Plain): boolean {
  if (wanted === null) return any(value, (one) => one === null || one === undefined);
  return any(value, (one) => one !== undefined && same(one, wanted));
}

/** Numbers compare with numbers, texts with texts. */
function beside(value: Plain, operand: Plain, test: (order: number) => boolean): boolean {
  return any(value, (one) => typeof one === typeof operand && one !== null && test(order(one, operand)));
}

function operator(value: Plain, name: string, operand: Plain): boolean {
  switch (name) {
    case '$eq':
      return equal(value, operand);
    case '$ne':
      return !equal(value, operand);
    case '$gt':
      return beside(value, operand, (found) => found > 0);
    case '$gte':
      return beside(value, operand, (found) => found >= 0);
    case '$lt':
      return beside(value, operand, (found) => found < 0);
    case '$lte':
      return beside(value, operand, (found) => found <= 0);
    case '$in':
      return (operand as readonly Plain[]).some((one) => equal(value, one));
    case '$nin':
      return !(operand as readonly Plain[]).some((one) => equal(value, one));
    case '$exists':
      return (value !== undefined) === operand;
    case '$size':
      return Array.isArray(value) && value.length === operand;
    case '$all':
      return (operand as readonly Plain[]).every((one) => equal(value, one));
    case '$elemMatch':
      return Array.isArray(value) && value.some((one: Plain) => holds(one, operand));
    case '$not':
      return !holds(value, operand);
    default:
      throw new Refused(name);
  }
}
