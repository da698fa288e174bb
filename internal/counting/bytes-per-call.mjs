const LOOKS = 20;
/** So many that what a look itself allocates counts little, and no more than the young generation holds of calls of 16 kB. */
const CALLS = 2000;

/**
 * Bytes that one call allocates: the lowest quarter of twenty looks, since code that is not compiled yet allocates more. Needs the flags
 * `--expose-gc` and `--min-semi-space-size=32`, so that nothing is collected while it counts.
 *
 * @param work one piece of work
 */
export async function bytesPerCall(work) {
  const looks = [];
  for (let look = 0; look < LOOKS; look++) {
    for (let index = 0; index < 10_000; index++) await work();
    // Compiling goes on beside.
    await new Promise((resolve) => setTimeout(resolve, 5));
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < CALLS; index++) await work();
    looks.push((process.memoryUsage().heapUsed - before) / CALLS);
  }
  return looks.sort((a, b) => a - b)[LOOKS / 4 - 1];
}
