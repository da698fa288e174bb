// Stops what a process has started at random moments, each time for some milliseconds, as a machine does that has too much to do: at any
// instruction, and without taking processor time from it. Begun by `repeat-tests.mjs`; ends with it.
import { readdirSync, readFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const root = Number(process.argv[2]);
if (!(Number.isInteger(root) && root > 1)) throw new Error('Name the process whose descendants to stop: node scripts/stall.mjs <pid>');
if (process.platform !== 'linux') throw new Error('Processes are found by /proc, which Linux has');
/** Milliseconds between two stops, and of one stop, at most: a garbage collection or a turn of another process, and at times much more. */
const [BETWEEN, SHORT, LONG] = [60, 40, 400];

let stopped = [];
const proceed = () => {
  for (const pid of stopped) send(pid, 'SIGCONT');
  stopped = [];
};
for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());
process.on('exit', proceed);

while (process.connected) {
  await wait(randomInt(1, BETWEEN));
  const all = descendants(root);
  const one = all[randomInt(all.length + 1)];
  // One of them, so that others overtake it, or all, so that only clocks do.
  stopped = (one === undefined ? all : [one]).filter((pid) => send(pid, 'SIGSTOP'));
  await wait(randomInt(1, randomInt(20) === 0 ? LONG : SHORT));
  proceed();
}

/** Those that the process has started, and what they have started: not itself, which only waits for them. */
function descendants(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const parent = parentOf(name);
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found = [];
  for (const next = [pid]; next.length > 0;) {
    const children = parents.get(next.pop()) ?? [];
    found.push(...children);
    next.push(...children);
  }
  return found;
}

function parentOf(pid) {
  try {
    // The name of a program, in brackets, may hold anything; the state and the parent stand behind it.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined; // gone meanwhile
  }
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // gone meanwhile
  }
}
