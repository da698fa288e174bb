import { EventSocket } from './event-socket.mjs';

const SOCKETS = 16;

/**
 * Sockets that make calls, each the next one when the answer before it is in.
 *
 * @param port of a server whose call `get` is acknowledged
 */
export async function callingSockets(port) {
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => EventSocket.open(port)));
  let id = 0;
  return {
    async call(count) {
      let sent = 0;
      const keepBusy = async (socket) => {
        while (sent < count) {
          sent += 1;
          id += 1;
          await socket.ask(`42${id}["get","notes","1",{}]`, `43${id}[null,{"id":1,`);
        }
      };
      await Promise.all(sockets.map(keepBusy));
    },
    close() {
      for (const socket of sockets) socket.cut();
    },
  };
}
