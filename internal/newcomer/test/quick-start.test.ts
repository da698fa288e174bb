import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Newcomer } from '../newcomer.mjs';
import { liveThrough } from '../project.mjs';
import { reachesRegistry, startPackedRegistry } from '../../../scripts/packed-registry.mjs';

const canInstall = await reachesRegistry();
if (!canInstall) noteLeftOut('left out: the registry of packages can not be reached: what somebody does who has nothing');

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/quick-start.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'newcomer '));
let registry: Awaited<ReturnType<typeof startPackedRegistry>> | undefined;
beforeAll(async () => {
  if (canInstall) registry = await startPackedRegistry(join(folder, 'packed'));
});
afterAll(async () => {
  await registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands of the guide under a title, in order. */
function commands(title: string): string {
  const found = [...guide.matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].filter((match) => match[1] === title).map((match) => match[2]);
  if (found.length === 0) throw new Error(`The guide has no commands '${title}'`);
  return found.join('\n');
}

describe('somebody who has nothing', () => {
  it('is told where packages come from', () => {
    expect(guide).toContain('npm create framework');
  });

  if (!canInstall) return;

  /** Goes through the quick start in a folder of its own, and gives what its requests say. */
  async function goThrough(home: string, create: string): Promise<{ readonly newcomer: Newcomer; readonly said: string }> {
    const newcomer = new Newcomer(join(folder, home), String(registry?.url));
    await newcomer.run(`set -e\n${create}`);
    const server = await newcomer.start(commands('start').trim(), 'my-api');
    try {
      const said = await newcomer.run(
        `set -e\n${commands('run').replaceAll('localhost:3030', server.url.replace('http://', ''))}`,
        'my-api',
      );
      expect(said).toContain('{"status":"ok"}');
      expect(said).toContain('"code":400');
      expect(said).toContain('without a token: 401');
      return { newcomer, said };
    } finally {
      await server.stop();
    }
  }

  it('gets to a login over an API of their own by the commands of the quick start', async () => {
    const { newcomer, said } = await goThrough('quick', commands('create'));
    expect(said).toMatch(/\{"_id":"\w{24}","email":"ann@example\.com"\}/);
    expect(said).toMatch(/"total":2,"limit":1,"skip":0,"data":\[\{"_id":"\w+","text":"Good morning"\}\]/);
    const login = JSON.parse(readFileSync(join(folder, 'quick/my-api/login.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(login).sort()).toEqual(['accessToken', 'authentication', 'refreshToken', 'user']);
    const changed = await newcomer.run(`set -e\n${commands('change')}`, 'my-api');
    expect(changed).toContain("export { orders } from './orders.ts';");
    expect(readFileSync(join(folder, 'quick/my-api/audit.json'), 'utf8')).toContain('"orders"');
    // Clients are told of what users show.
    await newcomer.run('npm install --save-dev @framework/client && npx framework-types src/app.ts --type Services', 'my-api');
    const types = readFileSync(join(folder, 'quick/my-api/services.d.ts'), 'utf8');
    expect(/export type Users = .*/.exec(types)?.[0]).toBe('export type Users = { _id: string; email: string };');
    expect(types).toContain('export type UsersData = { email: string; password: string };');
    // Who fetches the project by git is without .env.
    const without = await newcomer.run('mv .env kept; npm start 2>&1; mv kept .env', 'my-api');
    expect(without).toMatch(/AUTH_SECRET is not set.* \.env/);
  });

  /** The commands that make the application, with records in memory. */
  function inMemory(): string {
    const [flag] = /--database=memory/.exec(guide) ?? ['the guide does not say it'];
    return commands('create').replace('--database=embedded', flag);
  }

  it('is told the one line of the quick start that is another with records in memory', () => {
    const [lines, others] = [commands('create').split('\n'), inMemory().split('\n')];
    expect(others.filter((line, index) => line !== lines[index])).toEqual([expect.stringMatching(/^npm create .* --database=memory /)]);
  });

  // Two more installations: NEWCOMER_RUNS=3 does them.
  if (Number(process.env.NEWCOMER_RUNS ?? 1) > 1) {
    it('gets the same from records in memory, by that line', async () => {
      const { said } = await goThrough('memory', inMemory());
      expect(said).toMatch(/\{"_id":"[\da-f-]{36}","email":"ann@example\.com"\}/);
      expect(said).toMatch(/"total":2,"limit":1,"skip":0,"data":\[\{"_id":"[\da-f-]{36}","text":"Good morning"\}\]/);
      expect(readFileSync(join(folder, 'memory/my-api/package.json'), 'utf8')).not.toContain('docdb');
    });
  }

  if (Number(process.env.NEWCOMER_RUNS ?? 1) > 2) {
    it('gets a project in JavaScript that lives through all its commands', async () => {
      const home = join(folder, 'short');
      const choice = { home, folder: 'my api', language: 'js', database: 'memory', login: 'none', realTime: 'none' } as const;
      const { statuses, files } = await liveThrough(new Newcomer(home, String(registry?.url)), choice);
      expect(statuses).toEqual([201, 200, 200, 200]);
      expect(files).toContain('package-lock.json');
      expect(existsSync(join(home, 'my api/.env'))).toBe(false);
    });
  }
});
