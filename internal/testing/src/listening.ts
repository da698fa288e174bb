import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** What an application that listens can do. */
interface Listening {
  listen(port: number): Promise<Server & Partial<Pick<HttpServer, 'closeIdleConnections'>>>;
  close(options: { timeout: number }): Promise<unknown>;
}

/** A running application. */
export interface RunningApplication<A> {
  readonly app: A;
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Listens on a free port. */
export async function listen<A extends Listening>(app: A): Promise<RunningApplication<A>> {
  const server = await app.listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<unknown> => {
    // A server waits half a second for connections that a client keeps: nobody uses these any more.
    server.closeIdleConnections?.();
    return app.close({ timeout: 1000 });
  };
  return { app, url: `http://127.0.0.1:${port}`, stop };
}
