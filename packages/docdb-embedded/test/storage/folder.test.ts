import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';
import { startLater } from '../start-later.ts';

const cli = join(import.meta.dirname, '../../dist/cli.js');
let root: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docdb-folder-'));
});
afterEach(async () => {
  if (child) {
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    child = undefined;
  }
  rmSync(root, { recursive: true, force: true });
});

/** Starts a server in a process of its own, and waits until it listens. */
function startElsewhere(path: string, options: { cwd?: string; env?: NodeJS.ProcessEnv }): Promise<string> {
  const started = spawn(process.execPath, [cli, '--port', '0', '--path', path], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  return new Promise((resolve, reject) => {
    started.once('exit', () => {
      reject(new Error('the server ended'));
    });
    started.stdout.once('data', (text: Buffer) => {
      resolve(text.toString().trim());
    });
  });
}

describe('a folder in use is refused to a second server', () => {
  const refused = (path: string): Promise<void> =>
    expect(startLater({ path })).rejects.toThrow(`The folder ${path} is in use by process ${String(child?.pid)}`);

  it('where the first one names it from the folder that it works in', async () => {
    await startElsewhere('data', { cwd: root });
    await refused(join(root, 'data'));
  }, 60_000);

  it('where it is somewhere else by now', async () => {
    await startElsewhere(join(root, 'before'), {});
    renameSync(join(root, 'before'), join(root, 'after'));
    await refused(join(root, 'after'));
  }, 60_000);

  it('where its path is longer than that of a socket, and each keeps temporary files elsewhere', async () => {
    const [path, temporary] = [join(root, 'long'.repeat(30)), join(root, 'tmp')];
    mkdirSync(temporary);
    await startElsewhere(path, { env: { ...process.env, TMPDIR: temporary } });
    await refused(path);
    expect(readdirSync(temporary)).toEqual([]);
  }, 60_000);
});

describe('a folder that can not be used is refused in words that say why', () => {
  it.each<[string, (path: string) => string, string]>([
    [
      'is a file',
      (path) => {
        writeFileSync(path, '');
        return path;
      },
      'can not be used: it is a file. Choose another folder',
    ],
    [
      'would be in a file',
      (path) => {
        writeFileSync(path, '');
        return join(path, 'inside');
      },
      'can not be used: what it would be in is a file. Choose another folder',
    ],
    [
      'has a folder in the place of its data',
      (path) => {
        mkdirSync(join(path, 'data.mdb'), { recursive: true });
        return path;
      },
      'data.mdb is no file. Put back a whole copy of the folder, or choose another folder',
    ],
    [
      'has a folder in the place of the table of those who read',
      (path) => {
        mkdirSync(join(path, 'lock.mdb'), { recursive: true });
        return path;
      },
      'lock.mdb is no file. Put back a whole copy of the folder, or choose another folder',
    ],
    [
      'has a link to nothing in the place of the table of those who read',
      (path) => {
        mkdirSync(path);
        symlinkSync(join(path, 'nothing'), join(path, 'lock.mdb'));
        return path;
      },
      'lock.mdb can not be used: it is not there. Let the user of this process read and write it, or choose another folder',
    ],
  ])('one that %s', async (_what, made, message) => {
    await expect(DocDbServer.start({ path: made(join(root, 'data')) })).rejects.toThrow(message);
  });

  it('where none is given, the one for what is temporary', async () => {
    const TMPDIR = join(root, 'nothing');
    await expect(promisify(execFile)(process.execPath, [cli, '--port', '0'], { env: { ...process.env, TMPDIR } })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `The folder ${TMPDIR}, which has the data where no folder is given, can not be used: it is not there. Name another place by TMPDIR or \`path\``,
      ),
    });
  }, 60_000);
});

describe('a folder that was used', () => {
  it('has no socket when its server has stopped, and none of one that was killed when the next has started', async () => {
    const path = join(root, 'long'.repeat(30));
    const sockets = (): string[] => readdirSync(path).filter((name) => name.endsWith('.sock'));
    await startElsewhere(path, {});
    expect(sockets()).toHaveLength(1);
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await exited;
    child = undefined;
    const server = await DocDbServer.start({ path });
    expect(sockets()).toHaveLength(1);
    await server.stop();
    expect(sockets()).toEqual([]);
  }, 60_000);
});

describe('a folder of a newer version', () => {
  const FORM = Buffer.from('form of entries');
  const noted = async (path: string, form?: number): Promise<Buffer | undefined> => {
    const engine = new Engine({ path, sync: 'always', maxSize: undefined });
    if (form !== undefined) await engine.write(() => engine.system.put(FORM, Buffer.of(form)));
    const found = engine.system.get(FORM);
    await engine.close();
    return found;
  };

  it('that keeps its data in another form is refused, and stays as it is', async () => {
    const path = join(root, 'data');
    await (await DocDbServer.start({ path })).stop();
    const own = (await noted(path))?.[0] ?? 0;
    await noted(path, own + 1);
    await expect(DocDbServer.start({ path })).rejects.toThrow(
      `was written by a newer version of docdb-embedded, in the form ${String(own + 1)}; this version knows forms up to ${String(own)}`,
    );
    expect(await noted(path)).toEqual(Buffer.of(own + 1));
    await noted(path, own);
    await (await DocDbServer.start({ path })).stop();
  });
});

describe('a folder that is removed while it is used', () => {
  it('takes no more writes, and says why', async () => {
    const path = join(root, 'data');
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    const items = client.db('t').collection<{ _id: number }>('items');
    await items.insertOne({ _id: 1 });
    rmSync(path, { recursive: true });
    await expect(items.insertOne({ _id: 2 })).rejects.toMatchObject({ code: 8000, message: expect.stringContaining('was removed') });
    await expect(items.updateOne({ _id: 1 }, { $set: { a: 1 } })).rejects.toMatchObject({ code: 8000 });
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1 });
    await client.close();
    await server.stop();
    expect(existsSync(path)).toBe(false);
  });
});
