import cluster, { type Worker } from 'node:cluster';

/** Milliseconds before a process that crashed is replaced, so that one that can not start does not keep the machine busy. */
const RESTART_DELAY = 500;
/** Signals that end everything, gracefully. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Starts worker processes, replaces those that crash, and ends all of them on a signal.
 *
 * @param count how many
 * @param environment variables that they get
 * @param ended called when all have ended after a signal
 */
export function startWorkers(count: number, environment: Readonly<Record<string, string>>, ended: () => void): void {
  let closing = false;
  const endWithLast = (): void => {
    if (living().length === 0) ended();
  };
  cluster.on('exit', (worker, code, signal) => {
    if (closing) {
      endWithLast();
      return;
    }
    console.error(`Worker ${String(worker.process.pid)} ended with ${signal ?? String(code)} and is replaced`);
    setTimeout(() => {
      if (!closing) cluster.fork(environment);
    }, RESTART_DELAY);
  });
  cluster.on('listening', (worker, { port }) => {
    console.log(`Worker ${String(worker.process.pid)} listens on port ${String(port)}`);
  });
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      closing = true;
      // A signal and no message: one that comes before the worker listens for it is lost, and the worker would stay.
      for (const worker of living()) worker.process.kill('SIGTERM');
      endWithLast();
    });
  }
  for (let index = 0; index < count; index++) cluster.fork(environment);
}

/** `cluster.workers` also has those that have ended, until their channels are closed, which can be later. */
function living(): Worker[] {
  const known = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return known.filter((worker) => !worker.isDead());
}
