/**
 * Times functions in turns and prints the medians, and their ratios to the first.
 *
 * @param title what they do
 * @param works functions by name; each call is one piece of work
 */
export async function compare(title, works, { rounds = 15, milliseconds = 150 } = {}) {
  const names = Object.keys(works);
  const times = new Map(names.map((name) => [name, []]));
  for (const name of names) await timed(works[name], milliseconds);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times.get(name).push(await timed(works[name], milliseconds));
  }
  const base = median(times.get(names[0]));
  console.log(`\n${title}\n\n| | ns per call | x ${names[0]} | spread |\n|---|---|---|---|`);
  const result = {};
  for (const name of names) {
    const own = times.get(name);
    const middle = median(own);
    const spread = (percentileOf(own, 0.9) - percentileOf(own, 0.1)) / middle;
    result[name] = middle / base;
    console.log(`| ${name} | ${middle.toFixed(0)} | ${(middle / base).toFixed(2)} | ${(spread * 100).toFixed(0)} % |`);
  }
  return result;
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
