import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { DATA_FILE, type Engine } from './engine.ts';
import { isAnswered, listenInFolder, removeSocket } from './folder-socket.ts';
import { hindranceOf } from './hindrance.ts';
import { makeFolder } from './make-folder.ts';
import { READERS_FILE, reserveReaders } from './reader-table.ts';

/** Milliseconds that a folder in use is waited for: a server whose starter was killed is still closing it. */
const WAIT = 5000;
const OWNER = Buffer.from('owner');

/**
 * Makes a folder ready: only its user may look into it.
 *
 * @throws Error for a folder that can not be used, for one whose files can not, and for one of an older version
 */
export function prepareFolder(path: string): void {
  const names = inFolder(path, () => {
    makeFolder(path, 0o700);
    return readdirSync(path);
  });
  const old = names.find((name) => /^(?:snapshot|journal)-\d+\.docdb$/.test(name));
  if (old !== undefined)
    throw new Error(
      `The folder ${path} was written by version 0.1 (${old}). Start that version on it, copy the data with mongodump and mongorestore into a server of this version on another folder, and remove this one`,
    );
  inFolder(path, () => {
    chmodSync(path, 0o700);
    reserveReaders(path);
  });
  for (const name of [DATA_FILE, READERS_FILE]) checkFile(join(path, name));
}

function inFolder<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`The folder ${path} can not be used: ${hindranceOf(cause)}. Choose another folder`, { cause });
  }
}

/**
 * Looks whether this process may have a file of the folder, where it is there: LMDB ends the process where it can not open one.
 *
 * @throws Error
 */
function checkFile(file: string): void {
  // A link that leads nowhere is there, too.
  if (!lstatSync(file, { throwIfNoEntry: false })) return;
  try {
    if (statSync(file).isFile()) {
      closeSync(openSync(file, 'r+'));
      return;
    }
  } catch (cause) {
    const mend = 'Let the user of this process read and write it, or choose another folder';
    throw new Error(`The file ${file} can not be used: ${hindranceOf(cause)}. ${mend}`, { cause });
  }
  throw new Error(`${file} is no file. Put back a whole copy of the folder, or choose another folder`);
}

/** Who uses a folder: a socket that answers for as long as the process lives. */
interface Owner {
  readonly pid: number;
  /** Name within the folder; the first versions wrote a path. */
  readonly socket: string;
  /** File that it uses: a copy of the folder has another one. */
  readonly file: number;
}

/**
 * Keeps two servers from using one folder. What tells that the other one is there is a socket of its process: it ends with
 * the process, however that ends, and a process that has the same number later is not taken for it.
 *
 * @returns gives the folder back
 * @throws Error when another live process uses it
 */
export async function ownFolder(path: string, engine: Engine): Promise<() => Promise<void>> {
  const own = await listenInFolder(path);
  const file = statSync(join(path, DATA_FILE)).ino;
  const deadline = Date.now() + WAIT;
  for (;;) {
    const before = engine.system.get(OWNER);
    const known = before && (decode(before) as unknown as Owner);
    if (known?.file === file && (await isAnswered(path, known.socket))) {
      if (Date.now() < deadline && known.pid !== process.pid) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      await own.close();
      throw new Error(`The folder ${path} is in use by process ${String(known.pid)}. Stop it, or choose another folder`);
    }
    // One writer at a time, of all processes: who comes second sees who came first.
    const enter = (): boolean => {
      const now = engine.system.get(OWNER);
      if (now ? !before?.equals(now) : before !== undefined) return false;
      void engine.system.put(OWNER, encode({ pid: process.pid, socket: own.name, file }));
      return true;
    };
    const mine = await engine.write(enter, true).catch(async (error: unknown) => {
      await own.close();
      throw error;
    });
    if (!mine) continue;
    if (known?.file === file) removeSocket(path, known.socket);
    return () => own.close();
  }
}
