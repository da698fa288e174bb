import { mkdirSync, openSync, readFileSync, rmSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Keeps two servers from using one folder.
 *
 * @param path the folder
 * @returns gives the folder back
 * @throws Error when another live process uses it
 */
export async function lockFolder(path: string): Promise<() => void> {
  mkdirSync(path, { recursive: true });
  const file = join(path, 'LOCK');
  const deadline = Date.now() + WAIT;
  for (;;) {
    try {
      const handle = openSync(file, 'wx');
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => {
        rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = ownerOf(file);
      // A server whose starter was killed still writes what it has.
      if (isAlive(owner) && owner !== process.pid && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      if (isAlive(owner))
        throw new Error(`The folder ${path} is in use by process ${String(owner)}. Stop it, or choose another folder`, { cause: error });
      // Its owner was killed.
      rmSync(file, { force: true });
    }
  }
}

/** Milliseconds that a folder in use is waited for. */
const WAIT = 5000;

function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  // A lock of this very process is a live one too.
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
