// Jest, in a group of processes of its own that ends when whoever started it does: what runs tasks for a terminal kills what has not ended half a second
// behind an interrupt, and can not pass that on.
import { Worker } from 'node:worker_threads';
import { run } from 'jest';

/** Looks at what is held by whoever started this and by nobody else, in a thread of its own: tests keep the main one busy, and wait there for processes. */
const WATCH = `
  const { Socket } = require('node:net');
  new Socket({ fd: 3, readable: true }).on('close', () => process.kill(-process.pid, 'SIGKILL')).resume();
`;

new Worker(WATCH, { eval: true }).unref();
await run();
