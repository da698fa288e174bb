// Jest, in a group of processes of its own that ends when whoever started it does: what runs tasks for a terminal kills what has not ended half a second
// behind an interrupt, and can not pass that on.
import { Socket } from 'node:net';
import { run } from 'jest';

/** Held by whoever started this, and by nobody else. */
const HELD = 3;

new Socket({ fd: HELD, readable: true })
  .on('close', () => process.kill(-process.pid, 'SIGKILL'))
  .resume()
  .unref();
await run();
