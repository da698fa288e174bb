import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

interface Told {
  readonly port?: number;
  readonly asked?: string;
  readonly finished?: string;
  readonly teardown?: string;
}

for (const [outcome, code] of [
  ['', 0],
  ['yes', 1],
] as const) {
  it(`S44 of two applications in one process the last one ends it, with exit code ${code} ${outcome ? 'where the first has failed' : 'where both have ended'}`, async () => {
    const child = fork(fileURLToPath(new URL('./fixtures/two-servers.mjs', import.meta.url)), {
      env: { ...process.env, FAILS: outcome },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const exit = once(child, 'exit');
    const torn: (string | undefined)[] = [];
    child.on('message', ({ teardown }: Told) => {
      if (teardown !== undefined) torn.push(teardown);
    });
    const until = (is: (told: Told) => boolean): Promise<Told> =>
      new Promise((resolve) => {
        child.on('message', (told: Told) => {
          if (is(told)) resolve(told);
        });
      });
    const { port } = await until((told) => told.port !== undefined);
    const asked = until((told) => told.asked === 'busy');
    const finished = until((told) => told.finished === 'idle');
    const answer = fetch(`http://127.0.0.1:${String(port)}/items/1`).then((response) => response.json());
    await asked;
    child.kill('SIGTERM');
    await finished;
    // What the first one has begun behind its end is done by the time at which this comes.
    child.send('answer', () => undefined);
    expect(await answer.catch((error: unknown) => error)).toEqual({ id: '1' });
    expect(await exit).toEqual([code, null]);
    expect(torn).toEqual(['idle', 'busy']);
  });
}
