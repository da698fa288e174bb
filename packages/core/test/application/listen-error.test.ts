import { expect, it } from '@jest/globals';
import { listenError } from '../../src/index.ts';

it.each([
  [3030],
  ['3030'],
  [0],
  ['0'],
  [65_535],
  ['./api.sock'],
  ['/run/api.sock'],
  ['api.sock'],
  ['\\\\.\\pipe\\api'],
  [{ port: 1 }],
  [undefined],
  [() => 1],
])('%p may be listened on', (where) => {
  expect(listenError([where, 'localhost'])).toBeUndefined();
});

it.each([
  ['abc', "'abc'"],
  ['3030abc', "'3030abc'"],
  ['-1', "'-1'"],
  ['', "''"],
  [' ', "' '"],
  ['65536', "'65536'"],
  ['3030.5', "'3030.5'"],
  [Number.NaN, 'NaN'],
  [70_000, '70000'],
])('%p is neither a port nor the path of a socket', (where, shown) => {
  expect(listenError([where])?.message).toBe(
    `app.listen() takes a port from 0 to 65535, or the path of a socket such as ./api.sock, and not ${shown}`,
  );
});
