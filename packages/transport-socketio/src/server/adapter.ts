import { randomBytes } from 'node:crypto';
import type { Hub } from '@framework/channels';
import { Server, type Namespace } from 'socket.io';

/** What of an adapter of Socket.IO is used here. */
interface SocketAdapter {
  persistSession(session: unknown): void;
  restoreSession(pid: string, offset: string): Promise<object | null>;
}

/** Makes the adapter of a namespace: a class, or a function. */
export type AdapterFactory = new (namespace: Namespace) => SocketAdapter;

/** What Socket.IO makes a connection that resumes from. */
interface RestoredSession {
  readonly sid: string;
  readonly pid: string;
  readonly rooms: readonly string[];
  readonly data: object;
  readonly missedPackets: readonly unknown[];
}

/** What Socket.IO hands out as the id of a client that resumes; a client that says something else is a new one. */
const PID = /^[\w-]{1,64}$/;

/**
 * Makes the adapter that lets clients resume by what they say, without a session that is kept for them: Socket.IO tells them whether they do,
 * and the channels give them what they missed, as the user that they are by then.
 *
 * @param base the application's own adapter; `undefined` for that of its Socket.IO
 */
export function resumingAdapter(hub: Hub, base: unknown): AdapterFactory {
  // A second copy of the adapter's package may be installed: this one is the server's.
  const Base = (base ?? new Server().adapter()) as AdapterFactory;
  const make = function (namespace: Namespace): SocketAdapter {
    const adapter = new Base(namespace);
    adapter.persistSession = (): void => undefined;
    adapter.restoreSession = async (pid, offset): Promise<RestoredSession | null> => {
      if (namespace.name !== '/' || !PID.test(pid)) return null;
      await hub.reach(offset);
      return hub.canResume(offset) ? restored(pid) : null;
    };
    return adapter;
  };
  return make as unknown as AdapterFactory;
}

/** No rooms: what a client may see is what it joins now. */
function restored(pid: string): RestoredSession {
  return { sid: randomBytes(15).toString('base64url'), pid, rooms: [], data: {}, missedPackets: [] };
}
