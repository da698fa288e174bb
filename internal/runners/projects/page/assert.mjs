// Of `node:assert/strict` what the contract asks, for pages.
const PRIMITIVE = (value) => typeof value !== 'object' || value === null;

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (PRIMITIVE(a) || PRIMITIVE(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp) return String(a) === String(b);
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

function check(holds, message) {
  if (!holds) throw new Error(message ?? 'The assertion does not hold');
}

export default {
  ok: check,
  equal: (a, b, message) => check(Object.is(a, b), message),
  notEqual: (a, b, message) => check(!Object.is(a, b), message),
  deepEqual: (a, b, message) => check(same(a, b), message),
  notDeepEqual: (a, b, message) => check(!same(a, b), message),
};
