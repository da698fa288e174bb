import { randomBytes } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const WINDOWS = process.platform === 'win32';
/** Longest path of a socket that all systems take. */
const MAX_SOCKET = 100;

/** A socket that listens in a folder for as long as its process lives. */
export interface FolderSocket {
  /** Its name within the folder: whoever reaches the folder by another path finds it there too. */
  readonly name: string;
  /** Ends it, and removes its file. */
  close(): Promise<void>;
}

/** Listens in a folder; who connects is told that somebody is there, and nothing else. */
export async function listenInFolder(folder: string): Promise<FolderSocket> {
  const name = `docdb-${randomBytes(6).toString('hex')}.sock`;
  const server = net.createServer((connection) => connection.destroy());
  await byShortPath(
    folder,
    name,
    (path) =>
      new Promise<void>((listening, reject) => {
        server.once('error', reject);
        server.listen(path, listening);
      }),
  );
  server.unref();
  return {
    name,
    async close() {
      await new Promise((closed) => server.close(closed));
      removeSocket(folder, name);
    },
  };
}

/** @returns whether somebody listens at a socket of a folder */
export function isAnswered(folder: string, name: string): Promise<boolean> {
  return byShortPath(
    folder,
    name,
    (path) =>
      new Promise((answered) => {
        const connection = net.connect(path);
        connection.once('connect', () => {
          connection.destroy();
          answered(true);
        });
        connection.once('error', () => {
          answered(false);
        });
      }),
  );
}

/** Removes what a process has left behind. */
export function removeSocket(folder: string, name: string): void {
  if (!WINDOWS) rmSync(resolve(folder, name), { force: true });
}

/** Uses a socket by a path that is not too long: by that of a link to its folder, which is there meanwhile. */
async function byShortPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  if (WINDOWS) return use(`\\\\.\\pipe\\${name}`);
  const path = resolve(folder, name);
  if (Buffer.byteLength(path) <= MAX_SOCKET) return use(path);
  const link = join(tmpdir(), `docdb-${randomBytes(6).toString('hex')}`);
  symlinkSync(resolve(folder), link);
  try {
    return await use(join(link, name));
  } finally {
    rmSync(link);
  }
}
