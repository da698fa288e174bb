import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guides/tracing.md'), 'utf8');
const sources = readdirSync(join(root, 'packages')).flatMap((name) => {
  const folder = join(root, 'packages', name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
});
const found = (pattern: RegExp, texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => String(match[1])))),
];
const untold = (names: readonly string[]): string[] => names.filter((name) => !guide.includes(`\`${name}\``));

it('every code of a warning stands in the guide', () => {
  const codes = found(
    /'([A-Z]+(?:_[A-Z]+)+)'/g,
    sources.filter((source) => source.includes('process.emitWarning(')),
  );
  expect(codes.length).toBeGreaterThan(5);
  expect(untold(codes)).toEqual([]);
});

it('every event that an application tells its listeners stands in the guide', () => {
  const events = found(/\btellListeners\([^,()]+, '([\w-]+)'/g, sources);
  expect(events.length).toBeGreaterThan(5);
  expect(untold([...events, 'listenerError', 'closing', 'login', 'logout', 'connection', 'slow-call'])).toEqual([]);
});
