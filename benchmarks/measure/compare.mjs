import { pairs, shuffled } from './pairs.mjs';

/**
 * Times functions in rounds, in another order in each.
 *
 * @param works functions by name; each call is one piece of work
 * @param options `rounds`; `milliseconds` of one slice, or `calls` of one slice; `before` gets what a slice uses up, and is not timed
 * @returns `ns`, by name one time for each round, and `ratio(name, base)`, pair by pair
 */
export async function compare(works, { rounds = 11, milliseconds = 50, calls, before } = {}) {
  const names = Object.keys(works);
  const ns = Object.fromEntries(names.map((name) => [name, []]));
  const slice = async (name, length) => {
    await before?.();
    return calls === undefined ? timed(works[name], length) : timedCalls(works[name], calls);
  };
  for (const name of names) await slice(name, milliseconds * 3);
  for (let round = 0; round < rounds; round++) for (const name of shuffled(names)) ns[name].push(await slice(name, milliseconds));
  return { ns, ratio: (name, base = names[0]) => pairs(ns[name], ns[base]) };
}

async function timed(work, milliseconds) {
  let calls = 0;
  const start = performance.now();
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let index = 0; index < 100; index++) await work();
    calls += 100;
    elapsed = performance.now() - start;
  }
  return (elapsed * 1e6) / calls;
}

async function timedCalls(work, calls) {
  const start = performance.now();
  for (let index = 0; index < calls; index++) await work();
  return ((performance.now() - start) * 1e6) / calls;
}
