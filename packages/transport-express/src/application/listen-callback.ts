import type { Server } from 'node:http';

type Callback = (this: unknown, ...args: unknown[]) => void;

/**
 * Makes the callback of `app.listen` what it is in Express 5: called once, when the server listens or with the error that it could not.
 *
 * @param server a server that does not listen yet
 * @param args arguments of `server.listen`
 * @param told called when the callback has got an error
 * @returns the arguments to listen with
 */
export function withErrorCallback(server: Server, args: readonly unknown[], told: () => void): readonly unknown[] {
  const callback = args.at(-1);
  if (!isCallback(callback)) return args;
  let called = false;
  const once: Callback = function (this: unknown, ...given) {
    if (called) return;
    called = true;
    Reflect.apply(callback, this, given);
  };
  server.once('error', (error) => {
    told();
    Reflect.apply(once, server, [error]);
  });
  return [...args.slice(0, -1), once];
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}
