import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, Variety } from '@framework-internal/random';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const bin = join(import.meta.dirname, '../bin/create-framework.js');
const SECRET = /^AUTH_SECRET=([A-Za-z0-9+/]{64})$/m;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'create framework '));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without what a package manager tells those that it runs, such as this test: it decides for whom a project is made. */
const started = (): NodeJS.ProcessEnv => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

function create(args: readonly string[], { cwd = folder, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...started(), ...env },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  return { status, stdout, stderr };
}

const QUIET = ['--no-install', '--no-git'];
const text = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

/** All files below the folder, with their texts. */
function everything(path = folder): Record<string, string> {
  const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    found.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  );
}

describe('create-framework', () => {
  it('writes a project without asking where there is no terminal, and tells what to type', () => {
    const { status, stdout } = create(['my-api', ...QUIET]);
    expect(status).toBe(0);
    expect(stdout).toContain('Next:\n\n  cd my-api\n  npm install\n  npm start\n');
    const repeat = /npm create framework@[\d.]+ my-api -- --database=embedded --login=local --real-time=none --ts --yes/;
    expect(stdout).toMatch(repeat);
    expect(text('my-api', 'README.md')).toMatch(repeat);
  });

  it('ends with a sentence where the file system makes no folder, and does not try for ever', () => {
    const path = process.platform === 'linux' ? '/proc/x/y' : join(folder, 'x'.repeat(300), 'y');
    const { status, stderr } = create([path, ...QUIET]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Nothing was written, since the file system refuses it: ')]);
  });

  it('makes another secret each time, which nobody else on the machine reads and git does not know', () => {
    const secrets = ['one', 'two'].map((name) => {
      create([name, ...QUIET]);
      if (process.platform !== 'win32') expect(statSync(join(folder, name, '.env')).mode & 0o077).toBe(0);
      expect(text(name, '.gitignore').split('\n')).toContain('.env');
      return SECRET.exec(text(name, '.env'))?.[1];
    });
    expect(secrets).toEqual([expect.any(String), expect.any(String)]);
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  it('makes the same again by the command that it prints', () => {
    const url = 'mongodb://ann:s3cret@db.example.com/shop?w=majority';
    const { stdout } = create(["it's here", `--database=${url}`, '--js', 'login=none', ...QUIET]);
    const [, args = ''] = /npm create framework@[\d.]+ (.*)/.exec(stdout) ?? [];
    expect(args).not.toContain('s3cret');
    const shell = spawnSync(
      'sh',
      ['-c', `"$NODE" "$BIN" ${args.replace(' -- ', ' ').replace('db.example', 'ann:s3cret@db.example')} --no-git --no-install`],
      {
        cwd: (mkdirSync(join(folder, 'again')), join(folder, 'again')),
        env: { ...started(), NODE: process.execPath, BIN: bin },
        encoding: 'utf8',
      },
    );
    expect(shell.status).toBe(0);
    expect(everything(join(folder, 'again', "it's here"))).toEqual(
      Object.fromEntries(
        Object.entries(everything(join(folder, "it's here"))).map(([path, body]) => [path.replace(folder, join(folder, 'again')), body]),
      ),
    );
  });

  it('writes nothing with --dry-run, and lists the files', () => {
    const { status, stdout } = create(['my-api', '--dry-run', '--database=memory', '--login=none']);
    expect([status, readdirSync(folder)]).toEqual([0, []]);
    expect(stdout).toContain('\n  src/services/messages.ts\n');
  });

  it('takes the folder in which it runs when that is empty but for a repository', () => {
    mkdirSync(join(folder, 'here', '.git'), { recursive: true });
    const { status, stdout } = create(['.', ...QUIET], { cwd: join(folder, 'here') });
    expect([status, existsSync(join(folder, 'here', 'src', 'app.ts'))]).toEqual([0, true]);
    expect(stdout).toContain('Next:\n\n  npm install\n');
    expect(readdirSync(join(folder, 'here')).filter((name) => name.startsWith('.create-framework'))).toEqual([]);
  });

  it('makes a repository unless it is told not to, and unless there is one', () => {
    expect(create(['one', '--no-install']).stdout).toContain('It is a git repository; nothing is committed yet');
    expect(existsSync(join(folder, 'one', '.git'))).toBe(true);
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    expect(create(['two', '--no-install']).stdout).toContain('in a git repository already');
    expect(existsSync(join(folder, 'two', '.git'))).toBe(false);
  });

  it('shows what the install said when it fails, and what to type then', () => {
    const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0', npm_config_cache: join(folder, 'cache') };
    const { status, stdout } = create(['my api', '--no-git'], { env });
    expect(status).toBe(1);
    expect(stdout).toContain('ECONNREFUSED');
    expect(stdout).toContain(
      `npm install failed; all files are there. Once what it says is mended, type\n\n  cd "${join(folder, 'my api')}"\n  npm install\n`,
    );
    expect(existsSync(join(folder, 'my api', 'package.json'))).toBe(true);
  });

  it('takes the package manager that has started it', () => {
    const { stdout } = create(['my-api', ...QUIET], { env: { npm_config_user_agent: 'pnpm/10.34.8 npm/? node/v24.0.0' } });
    expect(stdout).toContain('pnpm create framework@');
    expect(JSON.parse(text('my-api', 'package.json'))).toMatchObject({ packageManager: 'pnpm@10.34.8' });
    expect(text('my-api', 'Dockerfile')).toContain('RUN pnpm install --frozen-lockfile\n');
  });

  it.each([
    [['a', 'b'], 'One folder is enough: "a", "b"'],
    [['--databse=memory', 'a'], 'Did you mean --database?'],
    [['a\nb'], 'can not be a folder'],
    [['a', '--database=mysql'], '--database can not be "mysql"'],
    [['service'], 'service takes one path'],
    [['service', 'messages', '--login=none'], 'service takes no --login'],
    [['service', 'messages'], 'There is no package.json here'],
  ])('refuses %j with a sentence, and writes nothing', (args, said) => {
    const { status, stderr } = create([...args, ...(args[0] === 'service' ? [] : QUIET)]);
    expect([status, stderr.includes(said), stderr.includes('\n    at '), readdirSync(folder)]).toEqual([2, true, false, []]);
  });

  it('touches no folder with something in it, no file and no link to nowhere', () => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'mine'), 'mine');
    writeFileSync(join(folder, 'file'), 'mine');
    symlinkSync('nowhere', join(folder, 'link'));
    const before = everything();
    for (const name of ['full', 'file', 'link', 'file/below']) expect([name, create([name, ...QUIET]).status]).not.toEqual([name, 0]);
    expect(everything()).toEqual(before);
  });

  it('says in one sentence what the file system refuses', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const refused of ['file/my-api', `${'long'.repeat(60)}/${'a'.repeat(300)}`, '/dev/null/my-api']) {
      const { status, stdout, stderr } = create([refused, ...QUIET]);
      expect({ refused, status, stdout }).toEqual({ refused, status: 2, stdout: '' });
      expect(stderr).toMatch(/^Nothing was written, since the file system refuses it: E[A-Z]+: .*\n$/);
    }
    expect(readdirSync(folder).sort()).toEqual(['file']);
  });

  it('leaves a whole project or nothing when it is ended while it writes', async () => {
    const seed = Number(process.env.END_SEED ?? 7);
    const random = new Random(seed);
    const variety = new Variety();
    create(['whole', ...QUIET]);
    const whole = readdirSync(join(folder, 'whole'), { recursive: true }).length;
    for (let round = 0; round < Number(process.env.END_ROUNDS ?? 12); round += 1) {
      const name = `round-${String(round)}`;
      const signal = random.pick(['SIGINT', 'SIGTERM'] as const);
      const moment = random.pick(['started', 'writing', 'written'] as const);
      const child = spawn(process.execPath, [bin, name, ...QUIET], { cwd: folder, stdio: 'ignore' });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const begun: Record<typeof moment, () => boolean> = {
        started: () => true,
        writing: () => readdirSync(folder).some((each) => each.startsWith('.create-framework-')),
        written: () => existsSync(join(folder, name)),
      };
      while (child.exitCode === null && !begun[moment]()) await new Promise(setImmediate);
      child.kill(signal);
      await ended;
      const found = existsSync(join(folder, name)) ? readdirSync(join(folder, name), { recursive: true }).length : 0;
      expect([0, whole]).toContain(found);
      variety.tried(`${name} ${moment} ${signal}`);
      variety.took(found === 0 ? 'nothing' : 'whole');
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    console.log(variety.report('ended while it writes', seed));
    variety.expect(8, { nothing: 1, whole: 1 });
  });
});

describe('create-framework service', () => {
  beforeEach(() => {
    create(['.', '--database=memory', '--login=local', '--real-time=sse', ...QUIET]);
  });

  it('writes a service and its test, tells the line, and changes nothing', () => {
    const before = everything();
    const { status, stdout } = create(['service', 'shop/order-lines']);
    expect(status).toBe(0);
    const after = everything();
    const added = Object.keys(after).filter((path) => before[path] === undefined);
    expect(added.map((path) => path.slice(folder.length + 1)).sort()).toEqual([
      'src/services/shop-order-lines.ts',
      'test/shop-order-lines.test.ts',
    ]);
    expect(Object.fromEntries(Object.keys(before).map((path) => [path, after[path]]))).toEqual(before);
    expect(stdout).toContain(`Add this line to src/services/index.ts:\n\n  export { shopOrderLines } from './shop-order-lines.ts';\n`);
    expect(after[join(folder, 'src/services/shop-order-lines.ts')]).toContain("around: { all: [authenticate('jwt')] }");
  });

  it('writes nothing over what is there, and nothing with --dry-run', () => {
    const before = everything();
    expect(create(['service', 'messages'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there already: nothing was written'),
    });
    expect(create(['service', 'orders', '--dry-run']).stdout).toContain('Would write: src/services/orders.ts');
    expect(everything()).toEqual(before);
  });

  it.each([
    ['shop_orders', "exports 'shopOrders' already"],
    ['shop/Orders', 'shop-Orders.ts differs from shop-orders.ts only in capital letters'],
    ['shopOrders', "exports 'shopOrders' already"],
    ['Shop-orders', 'Shop-orders.ts differs from shop-orders.ts only in capital letters'],
    ['USERS', 'USERS.ts differs from users.ts only in capital letters'],
  ])('refuses %s, which can not be beside what is there', (path, said) => {
    create(['service', 'shop-orders']);
    const before = everything();
    const { status, stderr } = create(['service', path]);
    expect([status, stderr, everything()]).toEqual([2, expect.stringContaining(said), before]);
  });

  it('refuses a name that the list of services exports from elsewhere', () => {
    const index = join(folder, 'src/services/index.ts');
    writeFileSync(index, `${text('src/services/index.ts')}export { bills as orders, /* tax, */ fees } from './bills.ts';\n`);
    expect(['orders', 'fees', 'bills'].map((path) => create(['service', path]).status)).toEqual([2, 2, 0]);
  });

  it.each(['../../evil', "a'); process.exit(); ('", 'a\nb', 'a/b/../c'])('refuses %j', (path) => {
    const before = everything();
    expect(create(['service', path])).toMatchObject({ status: 2, stderr: expect.stringContaining('can not be the path of a service') });
    expect(everything()).toEqual(before);
  });

  it('leaves nothing of a file that can not be written whole', () => {
    const before = everything();
    // Files have at most one block, which is less than any of the two.
    const { status } = spawnSync('sh', ['-c', 'ulimit -f 1; "$NODE" "$BIN" service orders'], {
      cwd: folder,
      env: { ...started(), NODE: process.execPath, BIN: bin },
    });
    expect([status === 0, everything()]).toEqual([false, before]);
  });

  it('refuses an application that it can not add to, with what it misses', () => {
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"@framework/core":"*"}}');
    expect(create(['service', 'orders']).stderr).toContain('The application has no adapter');
    writeFileSync(join(folder, 'package.json'), '{"dependencies":');
    expect(create(['service', 'orders']).stderr).toContain('is no JSON');
    writeFileSync(join(folder, 'package.json'), '[]');
    expect(create(['service', 'orders']).stderr).toContain('There is no application here');
  });
});
