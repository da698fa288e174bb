import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of this machine whose listener can be changed. */
export interface ChangeableServer {
  readonly url: string;
  readonly port: number;
  listener: RequestListener;
  stop: () => Promise<void>;
}

/** Listens before it is known who answers: who does may need the address first. */
export async function startChangeable(port = 0): Promise<ChangeableServer> {
  const state: { listener: RequestListener } = { listener: (_req, res) => void res.writeHead(503).end() };
  const server: Server = createServer((req, res) => {
    state.listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: found } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${found}`,
    port: found,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
