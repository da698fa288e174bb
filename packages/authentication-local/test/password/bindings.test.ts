import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

/** Starts an application, whose strategy may compare passwords by itself, and tries a login. */
const PROGRAM = `
import { AuthenticationService } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
class Own extends LocalStrategy {
  async comparePassword() {
    throw Object.assign(new Error('compared elsewhere'), { code: 418 });
  }
}
async function run() {
  const app = framework();
  app.use('users', { id: 'id', find: async () => [], get: async (id) => ({ id }) });
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  const authentication = new AuthenticationService(app);
  authentication.register('local', process.argv[2] === 'own' ? new Own() : new LocalStrategy());
  app.use('authentication', authentication);
  await app.setup();
  return authentication.create({ strategy: 'local', email: 'ann', password: 'wrong' }, { provider: 'rest' }).catch(({ code }) => code);
}
run().then(console.log, (error) => console.log(error.message));
`;

const here = import.meta.dirname;
const formats = ['esm', 'cjs'] as const;
const bundle = (folder: string, format: string): string => join(folder, `server.${format === 'esm' ? 'mjs' : 'cjs'}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  const conditions = ['@framework/source'];
  const stdin = { contents: PROGRAM, resolveDir: here };
  for (const format of formats)
    await build({ stdin, format, outfile: bundle(folder, format), bundle: true, platform: 'node', conditions, logLevel: 'error' });
  await stop();
});
afterAll(() => rm(folder, { recursive: true }));

async function run(format: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [bundle(folder, format), ...args])).stdout.trim();
}

describe.each(formats)('a program that esbuild has made one file of, as %s', (format) => {
  it('says at its start, and not at the first login, what it needs beside it, and finds that there', async () => {
    expect(await run(format)).toContain(
      "leave '@framework/authentication-local' out of it (external), or install '@node-rs/argon2' beside it",
    );
    const modules = join(folder, 'node_modules/@node-rs');
    await mkdir(modules, { recursive: true });
    for (const name of ['argon2', 'bcrypt']) {
      const manifest = join(here, '../../node_modules/@node-rs', name, 'package.json');
      await symlink(dirname(manifest), join(modules, name));
    }
    expect(await run(format)).toBe('401');
    await rm(modules, { recursive: true });
  });

  it('needs nothing for passwords that a strategy of its own compares', async () => {
    expect(await run(format, 'own')).toBe('418');
  });
});
