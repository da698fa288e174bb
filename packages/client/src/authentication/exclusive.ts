import { withinTime } from '../rest/within-time.ts';
import { wait } from '../wait.ts';
import type { TokenStorage } from './storage.ts';

/** Runs something while no other tab does. */
export type Exclusive = <T>(run: () => Promise<T>) => Promise<T>;

/** Milliseconds after which whoever holds the lock counts as frozen, or gone. */
const LONGEST = 10_000;
/** Milliseconds in which what was written to a storage reaches the other processes of a browser. */
const SETTLE = 50;
/** Milliseconds in which a message to other tabs has arrived, also on a machine that has much to do. Who waits for the lock would refresh again. */
const TOLD = 250;

/**
 * One at a time among all tabs: by Web Locks, and where there are none by a mark in the storage.
 *
 * @param name what the tabs share
 * @param storage what they share, if they do
 * @param isShared whether there is anything that they share: a storage, or cookies
 */
export function exclusive(name: string, storage: TokenStorage | undefined, isShared: unknown): Exclusive {
  // Those of Node.js, which has no `self`, hold within a process, and a storage may be of several.
  const locks = (globalThis as { self?: { navigator?: { locks?: LockManager } } }).self?.navigator?.locks;
  if (isShared && locks) return (run) => byLock(locks, name, run);
  return storage ? (run) => byMark(storage, `${name} lock`, run) : (run) => run();
}

/** Gives the result at once, and lets the others in a moment later. A page that may have no locks, or waits for a frozen one, goes on without. */
function byLock<T>(locks: LockManager, name: string, run: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let ran: Promise<void> | undefined;
    const once = (): Promise<void> => (ran ??= run().then(resolve, reject));
    // For a lock that one has the end of the time means nothing any more.
    withinTime(LONGEST, undefined, (signal) => locks.request(name, { signal }, () => once().then(() => wait(TOLD)))).catch(once);
  });
}

/**
 * Whoever wrote the mark last has it: all wait until what they wrote has settled. A page whose storage fails, or keeps no mark, or that waits for a frozen one,
 * goes on without.
 */
async function byMark<T>(storage: TokenStorage, key: string, run: () => Promise<T>): Promise<T> {
  // No mark is called so.
  let own = key;
  const mark = async () => (await storage.getItem(key)) ?? '';
  await withinTime(LONGEST, undefined, async (signal) => {
    for (let found; (found = await mark()) !== own && !signal.aborted; await wait(SETTLE + Math.random() * SETTLE))
      // One of a later time is of a clock that was put back since.
      if (!(Math.abs(parseFloat(found) - Date.now()) <= LONGEST)) {
        await storage.setItem(key, (own = `${Date.now()} ${Math.random()}`));
        // Asked at once: later it may be gone because somebody else was let in, and is done.
        if (!(await mark())) return;
      }
    // What can not be marked is not waited for.
  }).catch(() => {});
  return run().finally(() => {
    mark()
      .then((found) => found === own && storage.removeItem(key))
      .catch(() => {});
  });
}
