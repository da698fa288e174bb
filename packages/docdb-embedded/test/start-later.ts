import { jest } from '@jest/globals';
import { DocDbServer, type DocDbServerOptions } from '../src/index.ts';

/** Starts a server for which a second has gone by at each look at the time: the five that a folder in use is waited for are over soon. */
export async function startLater(options: DocDbServerOptions): Promise<DocDbServer> {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  try {
    return await DocDbServer.start(options);
  } finally {
    clock.mockRestore();
  }
}
