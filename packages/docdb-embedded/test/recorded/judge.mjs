import { inOneOrder, isDocument, numberOf, plain, textOf } from './compare.mjs';

const ABSENT = Symbol('absent');
/** Fields of every answer that say nothing of the command. */
const GOSSIP = new Set(['$clusterTime', 'operationTime', 'electionId', 'opTime']);

const same = (a, b) => textOf(a) === textOf(b);
const withoutGossip = (reply) =>
  isDocument(reply) ? Object.fromEntries(Object.entries(reply).filter(([name]) => !GOSSIP.has(name))) : reply;

/** What of an answer an expected part names. */
function partOf(expected, actual) {
  if (isDocument(expected) && isDocument(actual))
    return Object.fromEntries(
      Object.keys(expected)
        .filter((name) => name in actual)
        .map((name) => [name, partOf(expected[name], actual[name])]),
    );
  if (Array.isArray(expected) && Array.isArray(actual))
    return expected.slice(0, actual.length).map((entry, at) => partOf(entry, actual[at]));
  return actual;
}

function at(doc, path) {
  let value = doc;
  for (const name of path === '' ? [] : path.split('.')) {
    if (Array.isArray(value) && /^\d+$/.test(name) && Number(name) < value.length) value = value[Number(name)];
    else if (isDocument(value) && Object.hasOwn(value, name)) value = value[name];
    else return ABSENT;
  }
  return value;
}

const TYPE_NAMES = {
  Int32: 'int',
  Long: 'long',
  Double: 'double',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Timestamp: 'timestamp',
  Binary: 'binData',
};

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : (TYPE_NAMES[value._bsontype] ?? 'object');
}

const CHECKS = {
  Exists: (value) => value !== ABSENT,
  NotExists: (value) => value === ABSENT,
  IsType: (value, { bson_type: type }) => value !== ABSENT && typeOf(value) === type,
  Eq: (value, { expected }) => value !== ABSENT && same(value, expected),
  Ne: (value, { rejected }) => value === ABSENT || !same(value, rejected),
  OrderedKeys: (value, { expected }) => isDocument(value) && JSON.stringify(Object.keys(value)) === JSON.stringify(expected),
  Len: (value, { expected }) => Array.isArray(value) && value.length === numberOf(expected),
  LenGt: (value, { minimum }) => Array.isArray(value) && value.length > numberOf(minimum),
  LenLte: (value, { maximum }) => Array.isArray(value) && value.length <= numberOf(maximum),
  Contains: (value, { key, value: wanted }) =>
    Array.isArray(value) && value.some((entry) => isDocument(entry) && same(entry[key] ?? null, wanted)),
  NotContains: (value, { key, value: wanted }) =>
    value === ABSENT || (Array.isArray(value) && !value.some((entry) => isDocument(entry) && same(entry[key] ?? null, wanted))),
  HasKey: (value, { key }) => isDocument(value) && Object.hasOwn(value, key),
  ContainsElement: (value, { element }) => Array.isArray(value) && value.some((entry) => same(entry, element)),
  Gt: (value, { minimum }) => value !== ABSENT && numberOf(value) > numberOf(minimum),
  Gte: (value, { minimum }) => value !== ABSENT && numberOf(value) >= numberOf(minimum),
  Lte: (value, { maximum }) => value !== ABSENT && numberOf(value) <= numberOf(maximum),
  NonEmptyStr: (value) => typeof value === 'string' && value !== '',
  ByteLen: (value, { expected }) => value?._bsontype === 'Binary' && value.position === numberOf(expected),
};

/** The checks of a document that do not hold. */
function failing(checks, doc, prefix = '') {
  return Object.entries(checks).flatMap(([name, check]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const list = Array.isArray(check) ? check : [check];
    if (!Array.isArray(check) && !(typeof check.check === 'string' && isDocument(check.args))) return failing(check, doc, path);
    return list
      .filter(({ check: kind, args }) => !CHECKS[kind](at(doc, path), args))
      .map(({ check: kind }) => `${path} ${kind}, got ${JSON.stringify(plain(at(doc, path)))?.slice(0, 120)}`);
  });
}

function judgeError({ code }, { error, reply }) {
  const first = reply?.writeErrors?.[0];
  const got = error ? error.code : first && numberOf(first.code);
  if (got === undefined) return error ? ['other error', error.message] : ['accepted', `should fail with ${numberOf(code)}`];
  return got === numberOf(code) ? undefined : ['other error', `${numberOf(code)} expected, got ${got} ${error?.message ?? first.errmsg}`];
}

function judgeProperties({ checks, raw }, reply) {
  const docs = raw ? [reply] : (reply.cursor?.firstBatch ?? []);
  const each = checks.perDoc ?? docs.map(() => checks);
  if (docs.length === 0 || each.length !== docs.length) return ['wrong answer', `${docs.length} documents`];
  const wrong = docs.flatMap((doc, index) => failing(each[index], doc));
  return wrong.length > 0 ? ['wrong answer', wrong.join('; ')] : undefined;
}

/**
 * Holds an answer against what a server answered.
 *
 * @returns `undefined` for the same answer, else the kind of difference and a text
 */
export function judge(expectation, answer) {
  const { kind, raw, anyOrder, anyOrderIn } = expectation;
  if (answer.error?.lost) return ['no answer', answer.error.message];
  if (kind === 'error') return judgeError(expectation, answer);
  if (answer.error) return ['refused', `${answer.error.code} ${answer.error.message}`];
  if (kind === 'ok') return undefined;
  if (kind === 'properties') return judgeProperties(expectation, answer.reply);
  const compared = (expected, got) =>
    same(expected, got) ? undefined : ['wrong answer', `${textOf(expected)} expected, got ${textOf(got)}`];
  if (kind === 'partial') {
    const expected = withoutGossip(expectation.expected);
    return compared(expected, partOf(expected, withoutGossip(answer.reply)));
  }
  const shaped = (value) => {
    const one = (doc) =>
      Object.fromEntries(Object.entries(doc).map(([name, entry]) => [name, anyOrderIn.includes(name) ? inOneOrder(entry) : entry]));
    const inner = anyOrderIn ? (Array.isArray(value) ? value.map(one) : one(value)) : value;
    return anyOrder ? inOneOrder(inner) : inner;
  };
  const got = raw ? withoutGossip(answer.reply) : (answer.reply.cursor?.firstBatch ?? null);
  return compared(shaped(raw ? withoutGossip(expectation.expected) : expectation.expected), got === null ? got : shaped(got));
}
