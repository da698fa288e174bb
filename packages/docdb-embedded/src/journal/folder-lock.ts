import { mkdirSync, openSync, readFileSync, rmSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Keeps two servers from using one folder.
 *
 * @param path the folder
 * @returns gives the folder back
 * @throws Error when another live process uses it
 */
export function lockFolder(path: string): () => void {
  mkdirSync(path, { recursive: true });
  const file = join(path, 'LOCK');
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = openSync(file, 'wx');
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => { rmSync(file, { force: true }); };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) throw error;
      const owner = Number(readFileSync(file, 'utf8'));
      if (isAlive(owner)) throw new Error(`The folder ${path} is in use by process ${String(owner)}. Stop it, or choose another folder`, { cause: error });
      // Its owner was killed.
      rmSync(file, { force: true });
    }
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
