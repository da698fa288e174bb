// A program that ends when whoever started it ends.
import { spawn } from 'node:child_process';

/** Milliseconds between two looks at who the parent is. */
const LOOK = 500;

/**
 * Runs a program of Node.js in this one's place: it gets the signals, and this process ends with its exit code.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function runChild(args, cwd) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
  // npm runs scripts by a shell, which a SIGTERM for npm ends without a word to what it runs. What a person has started may go on when its shell has gone.
  if (process.env.npm_lifecycle_event !== undefined) whenParentGoes(() => child.kill('SIGTERM'));
}

/** @param {() => void} told called once */
function whenParentGoes(told) {
  const { ppid } = process;
  const look = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(look);
    told();
  }, LOOK);
}
