import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGuide, type RunningGuide } from './running-guide.ts';

const text = readFileSync(new URL('../../../docs/guides/client.md', import.meta.url), 'utf8');

/** The code block with this title. */
function block(title: string): string {
  return String(new RegExp(`^\`\`\`js ${title}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1]);
}

/** The block about caches, which is written for TypeScript and is JavaScript too. */
const caches = String(/^## Caches\n+```ts\n([\s\S]*?)^```$/m.exec(text)?.[1]);

let guide: RunningGuide;
beforeAll(async () => {
  guide = await startGuide(block('server'), { PORT: '0', AUTH_SECRET: 'a secret of more than thirty-two bytes, for tests' });
});
afterAll(() => guide.stop());

/** Runs code beside the server, and gives what it writes. */
function run(name: string, code: string): Promise<string> {
  writeFileSync(join(guide.folder, name), code);
  const child = spawn(process.execPath, [name], { cwd: guide.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('exit', (status) => (status === 0 ? resolve(output) : reject(new Error(output))));
  });
}

it('calls, logs in and hears of events as the guide does', async () => {
  const url = `const url = ${JSON.stringify(guide.url)};\n`;
  const output = await run('client.js', url + block('calls') + block('logins') + block('events'));
  const lines = output.trim().split('\n');
  expect(lines).toEqual(['Hello', 'b', 'c', '2', '1', 'NotFound 404 answer', 'logged out', 'an event', 'created another']);
});

it('keeps a cache as the guide does', async () => {
  const code = `import { createClient, rest, sse } from '@framework/client';
const client = createClient(rest('${guide.url}'), { events: sse('${guide.url}') });
const notes = client.service('notes');
${caches}
await new Promise((resolve) => client.on('connect', resolve));
// What comes into an empty list is asked for, where somebody looks at it.
await notes.create({ text: 'first', likes: 8 });
const before = await cache.fetchQuery(options);
await notes.create({ text: 'cached', likes: 9 });
while (cache.getQueryData(options.queryKey).total === before.total) await new Promise((resolve) => setTimeout(resolve, 5));
console.log(cache.getQueryData(options.queryKey).data.at(-1).text);
end();
client.close();
`;
  expect((await run('cache.js', code)).trim()).toBe('cached');
});
