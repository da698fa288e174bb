import { Readable } from 'node:stream';
import { afterEach, expect, it, jest } from '@jest/globals';
import { checkJson } from '../../src/index.ts';

const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void warned.mockClear());

const refused = (place: string, name: string): TypeError =>
  new TypeError(`${place} is a promise, of which JSON would say {}: wait for it where it is set, as ${name} = await …`);
const thenable = { then: (): void => undefined };

it.each<[what: string, value: unknown, error: TypeError]>([
  ['of a record', { id: 1, author: Promise.resolve({}) }, refused("'author' of what is sent", 'author')],
  ['in a page', { total: 1, data: [{ author: Promise.resolve({}) }] }, refused("'data.0.author' of what is sent", 'author')],
  [
    'in a class',
    new (class {
      part = { deep: Promise.resolve(1) };
    })(),
    refused("'part.deep' of what is sent", 'deep'),
  ],
  ['of a library', { cursor: thenable }, refused("'cursor' of what is sent", 'cursor')],
  ['behind a map', { tags: new Map([['a', 1]]), author: Promise.resolve(1) }, refused("'author' of what is sent", 'author')],
  [
    'beside itself',
    Object.assign(((own: object[]) => (own.push(own), own))([]), { 1: Promise.resolve(1) }),
    refused("'1' of what is sent", '1'),
  ],
])('a promise %s is refused by its place', (_what, value, error) => {
  expect(() => checkJson(value)).toThrow(error);
  expect(warned).not.toHaveBeenCalled();
});

it('a promise that is refused and fails ends no process', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  expect(() => checkJson({ author: Promise.reject(new Error('gone')) })).toThrow(TypeError);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

it.each<[what: string, value: unknown]>([
  ['an object without properties', { a: {}, b: [{}, null], c: Object.create(null) }],
  ['an empty map or set', { a: new Map(), b: new Set() }],
  ['what makes its own JSON', { a: new Date(0), b: { toJSON: () => 1, then: () => undefined }, c: Buffer.from('a') }],
  ['bytes', { a: new Uint8Array(3), b: new ArrayBuffer(3) }],
  ['what is no object', 'text'],
])('%s passes', (_what, value) => {
  checkJson(value);
  expect(warned).not.toHaveBeenCalled();
});

it.each<[what: string, records: unknown]>([
  ['generator', (async function* () {})()],
  ['stream', Readable.from([1])],
  ['iterable of a class', { [Symbol.asyncIterator]: (): unknown => undefined }],
])('records of a %s are refused where they are not the whole result', (_what, records) => {
  const error = (place: string): TypeError =>
    new TypeError(
      `${place} is a stream of records, which only a whole result can be: give it as the result, or read it before, as for await (const record of …)`,
    );
  for (const text of ['{"total":1,"data":{}}', JSON.stringify({ total: 1, data: records })])
    expect(() => checkJson({ total: 1, data: records, tags: new Set(['a']) }, text)).toThrow(error("'data' of what is sent"));
  expect(() => checkJson(records)).toThrow(error('What is sent'));
  expect(warned).not.toHaveBeenCalled();
});

it('is not looked into where JSON has no empty object', () => {
  expect(() => checkJson({ author: Promise.resolve(1) }, '{"author":1}')).not.toThrow();
  expect(() => checkJson({ author: Promise.resolve(1) }, '{"author":{}}')).toThrow(TypeError);
});

it('a map or a set that holds something is told once in a while, with its place', () => {
  checkJson({ data: [{ tags: new Set(['a']) }, { names: new Map([['a', 1]]) }] });
  checkJson({ names: new Map([['a', 1]]) });
  expect(warned.mock.calls).toEqual([
    ["'data.0.tags' of what is sent is a set, of which JSON says {}: what it holds is lost. Send [...set] in its place"],
  ]);
});

it('an iterator is told, and what has its own JSON or properties is none', () => {
  checkJson({ own: { a: 1, [Symbol.asyncIterator]: () => undefined }, json: { toJSON: () => 1, [Symbol.asyncIterator]: () => 1 } });
  expect(warned).not.toHaveBeenCalled();
  // What was told last is a while ago.
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 120_000);
  checkJson({ numbers: [1, 2].values() });
  now.mockRestore();
  const told =
    "'numbers' of what is sent is a list that is made while it is read, of which JSON says {}: what it holds is lost. Send [...list] in its place";
  expect(warned.mock.calls).toEqual([[expect.stringContaining(told)]]);
});
