import { isUntrusted, messageOf } from './redis-client.ts';

/**
 * Says how to mend what Redis refuses, where its answer does not.
 *
 * @param key name of the stream
 * @returns the error itself where there is nothing to add
 */
export function explained(error: unknown, key: string): unknown {
  const message = messageOf(error);
  const [kind] = message.split(' ', 1);
  if (kind === 'NOPERM') {
    const needed = `XADD, XREAD, XRANGE, XREVRANGE, GET and SET on the keys '${key}' and '${key}:epoch'`;
    return new Error(`${message}: the log needs ${needed}, and SELECT for another database than 0`, { cause: error });
  }
  if (kind === 'MOVED' || kind === 'ASK') {
    return new Error(
      `${message}: this Redis is one of a cluster, which has the keys of the log on several servers. Give the log one that is none`,
      {
        cause: error,
      },
    );
  }
  if (isUntrusted(error)) {
    return new Error(
      `Redis can not be reached over TLS (${message.trim()}): give 'socket' of the client the 'ca' that has signed the certificate of Redis, a name of its ` +
        `as the address, and 'cert' and 'key' where Redis asks for them; without TLS the address begins with redis://`,
      { cause: error },
    );
  }
  return error;
}
