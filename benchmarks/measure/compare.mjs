/**
 * Times functions in turns.
 *
 * @param works functions by name; each call is one piece of work
 * @returns by name the median time in ns, its ratio to the first, and the spread (from the 10th to the 90th percentile, as a share)
 */
export async function compare(works, { rounds = 21, milliseconds = 60 } = {}) {
  const names = Object.keys(works);
  const times = new Map(names.map((name) => [name, []]));
  for (const name of names) await timed(works[name], milliseconds * 3);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times.get(name).push(await timed(works[name], milliseconds));
  }
  const nanoseconds = {};
  const ratios = {};
  const spread = {};
  for (const name of names) {
    const own = times.get(name);
    nanoseconds[name] = median(own);
    ratios[name] = nanoseconds[name] / nanoseconds[names[0]];
    spread[name] = (percentileOf(own, 0.9) - percentileOf(own, 0.1)) / nanoseconds[name];
  }
  return { nanoseconds, ratios, spread };
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

export function median(values) {
  return percentileOf(values, 0.5);
}

function percentileOf(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
