/** @returns whether a value is a document: no list, no date, no value of a BSON type of its own */
export function isDocument(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && value._bsontype === undefined && !(value instanceof Date);
}

/** @returns a value as a JavaScript number, where it is one of the types of numbers */
export function numberOf(value) {
  if (value instanceof Date) return value.getTime();
  return value !== null && typeof value === 'object' && '_bsontype' in value ? Number(String(value)) : value;
}

const signed = (number) => (Object.is(number, -0) ? '-0' : String(number));

const TEXTS = {
  Int32: (value) => `int ${value.value}`,
  Long: (value) => `long ${String(value)}`,
  Double: (value) => (Number.isNaN(value.value) ? 'NaN' : `double ${signed(value.value)}`),
  Decimal128: (value) => (/nan/i.test(String(value)) ? 'NaN' : `decimal ${String(value)}`),
  ObjectId: (value) => `id ${value.toHexString()}`,
  Binary: (value) => `binary ${value.sub_type} ${Buffer.from(value.buffer.subarray(0, value.position)).toString('base64')}`,
  BSONRegExp: (value) => `regex ${value.pattern} ${[...value.options].sort().join('')}`,
  Timestamp: (value) => `timestamp ${String(value)}`,
  MinKey: () => 'least',
  MaxKey: () => 'greatest',
  BSONSymbol: (value) => `text ${value.value}`,
  Code: (value) => (value.scope ? ['code', value.code, plain(value.scope)] : `code ${value.code}`),
  DBRef: (value) =>
    plain({ $ref: value.collection, $id: value.oid, ...(value.db === undefined ? {} : { $db: value.db }), ...value.fields }),
};

/** A value with its types, in a form that JSON writes the same for equal values: documents without their order. */
export function plain(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return `text ${value}`;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : `double ${signed(value)}`;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return `date ${value.getTime()}`;
  const text = TEXTS[value._bsontype];
  if (text) return text(value);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, plain(value[name])]),
  );
}

/** @returns the text that two values share exactly when they are equal */
export const textOf = (value) => JSON.stringify(plain(value));

/** @returns a list in an order of its own */
export function inOneOrder(list) {
  if (!Array.isArray(list)) return list;
  return [...list].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}
