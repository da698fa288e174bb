import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { BSON } from 'mongodb';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/mongodb-8.2');

/** How a case begins. */
const HEAD = /^\{"n":(\d+),"area":"([^"\\]+)"/;

/** A date that may be further away than those of JavaScript: the driver writes the time that it says. */
class WideDate extends Date {
  #time;

  constructor(time) {
    super(time);
    this.#time = time;
  }

  getTime() {
    return this.#time;
  }
}

/** The values that have a form of their own; `$regex` and `$type` stay the operators that they are. */
const FORMS = {
  $numberInt: (text) => new BSON.Int32(Number(text)),
  $numberLong: (text) => BSON.Long.fromString(text),
  $numberDouble: (text) => new BSON.Double(Number(text)),
  $numberDecimal: (text) => BSON.Decimal128.fromString(text),
  $oid: (text) => new BSON.ObjectId(text),
  $date: (date) => new WideDate(Number(date.$numberLong)),
  $binary: ({ base64, subType }) => new BSON.Binary(Buffer.from(base64, 'base64'), Number.parseInt(subType, 16)),
  $regularExpression: ({ pattern, options }) => new BSON.BSONRegExp(pattern, options),
  $timestamp: ({ t, i }) => new BSON.Timestamp({ t, i }),
  $minKey: () => new BSON.MinKey(),
  $maxKey: () => new BSON.MaxKey(),
  $symbol: (text) => new BSON.BSONSymbol(text),
  $code: (text, whole) => new BSON.Code(text, whole.$scope && decode(whole.$scope)),
};

/** @returns the values that canonical extended JSON stands for */
export function decode(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decode);
  const names = Object.keys(value);
  const form = Object.hasOwn(FORMS, names[0]) ? FORMS[names[0]] : undefined;
  if (form && (names.length === 1 || (names[0] === '$code' && names.length === 2))) return form(value[names[0]], value);
  const document = {};
  for (const name of names)
    Object.defineProperty(document, name, { value: decode(value[name]), enumerable: true, writable: true, configurable: true });
  return document;
}

/** @returns the recorded cases as `{ n, area, text }`, or `undefined` where they are not beside this checkout */
export function recordedCases() {
  if (!existsSync(FOLDER)) return undefined;
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(FOLDER, name)))
        .toString()
        .split('\n'),
    )
    .filter(Boolean)
    .map((text) => {
      // Most of them are read no further.
      const head = HEAD.exec(text);
      if (!head) throw new Error(`A recorded case begins with its number and its area, and not as ${text.slice(0, 80)}`);
      return { n: Number(head[1]), area: head[2], text };
    });
}
