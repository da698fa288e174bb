import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { putOut } from '../src/output-file.ts';

let folder: string;
let told: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
  told = [];
  jest.spyOn(console, 'error').mockImplementation((text) => void told.push(text));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it.each<[string, string, boolean]>([
  ['with the same text', '{\n  "a": 1\n}\n', true],
  ['with the line ends of Windows', '{\r\n  "a": 1\r\n}\r\n', true],
  ['with another text', '{\n  "a": 2\n}\n', false],
  ['with further lines', '{\n\n  "a": 1\n}\n', false],
  ['with a carriage return in a line', '{\n  "a":\r 1\n}\n', false],
])('a file %s is checked', (_what, stored, isSame) => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, stored);
  expect(putOut('{\n  "a": 1\n}\n', { file, check: true, otherwise: 'is another' })).toBe(isSame);
  expect(told).toEqual([isSame ? `${file} is up to date` : `${file} is another`]);
});

it('a file that is not there is another', () => {
  const file = join(folder, 'openapi.json');
  expect(putOut('{}', { file, check: true, otherwise: 'is another' })).toBe(false);
  expect(told).toEqual([`${file} is another`]);
});
