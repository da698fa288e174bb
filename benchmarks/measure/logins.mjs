// Clients that log in again and again: in a process of their own, so that they keep no measured request waiting.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bytesOf, Connection } from './connection.mjs';

const CLIENTS = 8;
const LOGIN = {
  method: 'POST',
  path: '/authentication',
  body: '{"strategy":"local","email":"ann@example.com","password":"right password"}',
};
/** Until each client has its first login on the way. */
const LEAD = 200;

/** @returns `stop`, which gives how many logins there were in a second */
export async function startLogins(port) {
  const child = fork(fileURLToPath(import.meta.url), [String(port)]);
  await new Promise((resolve) => setTimeout(resolve, LEAD));
  const ended = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the logins ended with ${code}`)));
  });
  return {
    stop: () => {
      child.send('stop');
      return ended;
    },
  };
}

async function logInConstantly(port) {
  const start = performance.now();
  let running = true;
  let count = 0;
  process.once('message', () => (running = false));
  const loop = async () => {
    const connection = await Connection.open(port, 201);
    while (running) {
      await connection.send(bytesOf(LOGIN, port));
      count += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, loop));
  process.send((count * 1000) / (performance.now() - start), () => process.exit(0));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await logInConstantly(Number(process.argv[2]));
