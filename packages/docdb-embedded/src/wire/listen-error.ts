/**
 * What a server says that can not listen.
 *
 * @param error of the system
 * @returns an error with its code, in words that say how to mend it
 */
export function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const text = textOf(error, port, host);
  return text === undefined ? error : Object.assign(new Error(text, { cause: error }), { code: error.code });
}

function textOf({ code }: NodeJS.ErrnoException, port: number, host: string): string | undefined {
  if (code === 'EADDRINUSE')
    return `The port ${String(port)} of ${host} is in use. Stop what listens there, or take another port (0 for a free one)`;
  if (code === 'EACCES') return `The user of this process may not listen on port ${String(port)}. Take another port (0 for a free one)`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Listen on 127.0.0.1`;
  return undefined;
}
