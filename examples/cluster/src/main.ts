// One process for each core; all of them share one port. PORT and WORKERS change both.
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { startWorkers } from './workers.ts';
import { createApp } from './app.ts';

if (cluster.isPrimary) {
  startWorkers(Number(process.env.WORKERS ?? availableParallelism()));
} else {
  const app = createApp();
  await app.listen(Number(process.env.PORT ?? 3030));
  // A signal of the terminal reaches every process; the primary passes on what it means.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // The primary asks for the end: no new connections, and what is in flight is answered.
  process.on('message', (message) => {
    if (message !== 'close') return;
    void app.close().then(() => process.exit(0));
  });
}
