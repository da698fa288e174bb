// A program that ends when whoever started it ends.
import { spawn } from 'node:child_process';

/** Milliseconds between two looks at who the parent is. */
const LOOK = 500;
/** Who has started this process, which may take long before it runs a program: it installs and builds first. */
const PARENT = process.ppid;

/**
 * Runs a program of Node.js in this one's place: it gets the signals, and this process ends with its exit code.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function runChild(args, cwd) {
  // npm runs scripts by a shell, which a SIGTERM for npm ends without a word to what it runs. What a person has started may go on when its shell has gone.
  const isOfNpm = process.env.npm_lifecycle_event !== undefined;
  if (isOfNpm && process.ppid !== PARENT) process.exit(1);
  const child = spawn(process.execPath, args, { cwd, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
  if (isOfNpm) whenParentGoes(() => child.kill('SIGTERM'));
}

/** @param {() => void} told called once */
function whenParentGoes(told) {
  const look = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(look);
    told();
  }, LOOK);
}
