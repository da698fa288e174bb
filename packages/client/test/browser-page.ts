// Runs the suite in a page and in a worker.
import { runSuite } from './browser-suite.ts';

const inWorker = typeof document === 'undefined';
if (inWorker) postMessage(await runSuite(location.origin));
else {
  const worker = new Worker('/page.js', { type: 'module' });
  const fromWorker = new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve([['the worker', message]]);
  });
  const page = await runSuite('');
  await fetch('/seen', { method: 'POST', body: JSON.stringify({ page, worker: await fromWorker }) });
}
