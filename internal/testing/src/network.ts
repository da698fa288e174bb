import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What lies between clients and a server: it can be cut. */
export interface Network {
  readonly port: number;
  /** Of what speaks HTTP. */
  readonly url: string;
  /** Cuts all connections; new ones wait until what is given has been done. */
  cut(meanwhile?: () => unknown): Promise<void>;
  /** New connections reach another server; those that there are stay with theirs. */
  lead(to: number): void;
  stop(): void;
}

/** @param to port of the server on this machine */
export async function startNetwork(to: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let leadsTo = to;
  let free: Promise<unknown> = Promise.resolve();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    void free.then(() => {
      const target = connect(leadsTo, '127.0.0.1');
      target.on('error', () => undefined).once('close', () => socket.destroy());
      socket.once('close', () => target.destroy());
      socket.pipe(target).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async cut(meanwhile = () => undefined) {
      let go: () => void = () => undefined;
      free = new Promise<void>((resolve) => (go = resolve));
      cutAll();
      try {
        await meanwhile();
      } finally {
        go();
      }
    },
    lead(another) {
      leadsTo = another;
    },
    stop() {
      server.close();
      cutAll();
    },
  };
}
