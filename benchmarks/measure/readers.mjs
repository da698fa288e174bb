// Readers of events, in a process of their own: a process may have open only so many connections, and what they cost is not the server's.
import { LAST } from '../servers/events-publish.mjs';
import { EventSocket } from './event-socket.mjs';
import { EventStream } from './event-stream.mjs';

const KINDS = {
  sockets: (port) => EventSocket.open(port),
  bare: (port) => EventSocket.open(port, { bare: true }),
  streams: EventStream.open,
};
const AT_ONCE = 200;
let readers = [];

/** What the parent process asks for; each answers when it is done. */
const ORDERS = {
  async open({ kind, port, count }) {
    for (let opened = 0; opened < count; opened += AT_ONCE) {
      const group = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => KINDS[kind](port));
      readers.push(...(await Promise.all(group)));
    }
  },
  /** Goes on until every reader has got the last of the events that are published now; `bytes` is the least that each has to get. */
  async read({ bytes }) {
    await Promise.all(readers.map((reader) => reader.until(LAST, bytes)));
  },
  /** Cuts connections, as a network does. */
  async cut({ from, to }) {
    for (const reader of readers.slice(from, to)) reader.cut();
  },
  /** Connects them again, to go on where they were, and reads what they have missed. */
  async resume({ from, to, bytes }) {
    const again = await Promise.all(
      readers.slice(from, to).map(async (reader) => {
        const next = await reader.resumed();
        await next.until(LAST, bytes);
        return next;
      }),
    );
    readers.splice(from, again.length, ...again);
  },
  async close() {
    for (const reader of readers) reader.cut();
    readers = [];
  },
};

process.on('message', async ({ name, ...order }) => {
  try {
    await ORDERS[name](order);
    process.send({});
  } catch (error) {
    process.send({ error: error.message });
  }
});
process.on('disconnect', () => process.exit(0));
