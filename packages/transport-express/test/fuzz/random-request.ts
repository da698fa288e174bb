import { METHODS } from 'node:http';
import type { Random } from '@framework-internal/testing';

/** A request as it goes over the wire. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  /** Names in its query. */
  readonly names: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Texts that mean something to somebody on the way. */
const TELLING = [
  '',
  'null',
  'undefined',
  'true',
  '-1',
  '1e309',
  'NaN',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '$where',
  '$set',
  '$gt',
  '..',
  '.',
  '%',
  '*',
  'a'.repeat(300),
  '{"$gt":""}',
  '<script>',
  "' or 1=1",
  'x\r\ny: z',
  '\0',
  '\ufeff',
  '\ud800',
  'a\udfffb',
  '\u2028',
  'é',
  '😀',
] as const;

const LETTERS = [...'abcXYZ019-_.~$&=[]{}"\'\\/;:@,+ %<>é€😀\u0000\u001f\ud83d'];

/** A text of any kind: one of the telling ones, a number, or letters put together. */
export function randomText(random: Random): string {
  if (random.oneIn(3)) return random.pick(TELLING);
  if (random.oneIn(4)) return String(random.below(1_000_000) - 1000);
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(LETTERS)).join('');
}

/** What can not be encoded is left to bodies. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** What stands in a path or a query: well encoded, badly encoded, or as it is. */
function encoded(random: Random, text: string): string {
  if (!random.oneIn(15)) return encodeURIComponent(wellFormed(text));
  if (random.oneIn(2)) return `${encodeURIComponent(wellFormed(text))}${random.pick(['%', '%z', '%C3', '%ED%A0%80', '%00', '%2F', '%5C'])}`;
  // Node's client refuses what no request line can carry.
  return text.replace(/[^\x21-\xff]|[#]/g, '');
}

const SERVICES = ['items', 'versions', 'versions', 'echo', 'acme/notes', 'files', 'streams', 'fails', 'wrapped', 'nothing'] as const;

function randomPath(random: Random, method: string): string {
  const service = random.oneIn(20) ? encoded(random, randomText(random)) : random.pick(SERVICES);
  const start = random.oneIn(10)
    ? random.pick(['//', '///', '/\\', 'http://elsewhere.example/', 'http://elsewhere.example//', '/./'])
    : '/';
  const wholeService = method === 'POST' ? !random.oneIn(10) : random.oneIn(3);
  const segments = wholeService ? [] : [encoded(random, randomText(random))];
  if (random.oneIn(30)) segments.push(encoded(random, randomText(random)));
  const path = [service, ...segments].join('/');
  return `${start}${path}${random.oneIn(8) ? '/' : ''}`;
}

function randomName(random: Random): string {
  const text = encoded(
    random,
    random.oneIn(2) ? randomText(random) : random.pick(['a', '$limit', '$skip', '$sort[a]', '$select[]', '$or[0][a]', 'name']),
  );
  return random.oneIn(3) ? `${text}[${encoded(random, randomText(random))}]` : text;
}

/** Any value that JSON can hold, up to a few levels. */
export function randomJson(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 4 : 7)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, -0, 1.5, -7, 1e21, 2 ** 53]);
    case 2:
    case 3:
      return randomText(random);
    case 4:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth + 1));
    default:
      return randomObject(random, depth);
  }
}

function randomObject(random: Random, depth: number): object {
  const name = (): string => (random.oneIn(3) ? 'id' : random.oneIn(6) ? randomText(random) : `k${random.below(50)}`);
  // `fromEntries` makes a property of `__proto__` as of any other name.
  return Object.fromEntries(Array.from({ length: random.below(4) }, () => [name(), randomJson(random, depth + 1)]));
}

function randomBody(random: Random): string {
  switch (random.below(12)) {
    case 0:
      return random.pick(['{', '[1,', '"text"', '', '\0', '{"a":1}{', '{"a":\ud800}', '\ufeff{}', '[[[[']);
    case 1:
      return `${randomName(random)}=${encoded(random, randomText(random))}&${randomName(random)}=1`;
    case 2:
      return JSON.stringify({ id: randomText(random) });
    case 3:
      return JSON.stringify(randomJson(random));
    default:
      return JSON.stringify(randomObject(random, 0));
  }
}

const TYPES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=x',
  'multipart/form-data',
  'application/octet-stream',
  'x',
];
const TAGS = ['*', '"a"', 'W/"a", "b"', 'a', '"', ',,', '"a.b"', '', '"."'];
const ACCEPTS = [
  'text/html',
  'image/*',
  '*/*',
  ';',
  'application/problem+json',
  'application/x-ndjson',
  'application/json;q=0',
  'a/b;q=x, ,*/*;q=0.1',
];

function randomHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': random.oneIn(8) ? random.pick(TYPES) : 'application/json' };
  const text = (): string => randomText(random).replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  if (random.oneIn(12)) headers['x-service-method'] = random.oneIn(2) ? text() : random.pick(['shout', 'find', 'setup', '__proto__']);
  if (random.oneIn(3))
    headers[random.pick(['if-match', 'if-none-match', 'if-modified-since'])] = random.oneIn(4) ? text() : random.pick(TAGS);
  if (random.oneIn(6)) headers.accept = random.oneIn(4) ? text() : random.pick(ACCEPTS);
  if (random.oneIn(8)) headers[random.pick(['authorization', 'cookie', 'range', 'x-forwarded-for', 'origin', 'cache-control'])] = text();
  return headers;
}

/** Methods that a client can send like any other. */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');
const USUAL = ['GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** @returns the next request of a generator */
export function randomRequest(random: Random): RandomRequest {
  const method = random.oneIn(8) ? random.pick(ALL_METHODS) : random.pick(USUAL);
  const names = Array.from({ length: random.oneIn(3) ? 1 + random.below(3) : 0 }, () => randomName(random));
  const query = names.map((name) => `${name}=${encoded(random, randomText(random))}`).join('&');
  const path = randomPath(random, method);
  const target = query === '' ? path : `${path}?${query}`;
  const body = method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : randomBody(random);
  return { method, path: target, names, headers: randomHeaders(random), ...(body === undefined ? {} : { body }) };
}
