import { once } from 'node:events';
import { createServer } from 'node:net';

const taken = new Set<number>();

/** A port that is free. It is below the ports that the system gives to outgoing connections: clients that ask for a killed process would meet themselves there. */
export async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5000); ; port++) {
    if (taken.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('listening', () => resolve(true)).once('error', () => resolve(false)),
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    taken.add(port);
    return port;
  }
}
