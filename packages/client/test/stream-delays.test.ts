import { afterEach, expect, it, jest } from '@jest/globals';
import { createClient, rest, sse } from '../src/index.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** How long a client waits before it makes streams again that say this and end: the first waits, in milliseconds. */
async function waitsBehind(text: string, maxDelay: number): Promise<number[]> {
  const { setTimeout: real } = globalThis;
  const waits: number[] = [];
  const client = createClient(rest('http://127.0.0.1'), {
    events: sse('http://127.0.0.1', {
      maxDelay,
      fetch: async () => {
        // Timers of what is awaited meanwhile are longer ones.
        jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
          if (delay >= 60_000) return real(run, delay);
          waits.push(delay);
          return real(run, 0);
        }) as never);
        return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
      },
    }),
  });
  await new Promise<void>((resolve) => {
    let cuts = 0;
    client.on('disconnect', () => (++cuts === 20 ? resolve() : undefined));
    client.service('notes').on('created', () => undefined);
  });
  client.close();
  return waits;
}

it.each([
  ['nothing', '', 250, 500],
  ['0 ms', 'retry: 0\n\n', 50, 100],
  ['1 ms', 'retry: 1\n\nevent: position\ndata:\n\n', 50, 100],
  ['400 ms', 'retry: 400\n\n', 200, 400],
  ['a day', 'retry: 86400000\n\n', 1000, 2000],
])(
  'a stream that ends each time, whose server asks to wait for %s, is made again neither at once nor later than is allowed',
  async (_asked, text, least, most) => {
    const waits = await waitsBehind(text, 2000);
    expect(waits.length).toBeGreaterThan(10);
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThanOrEqual(most);
    }
  },
);

it('a stream is made again as soon as the option says', async () => {
  expect(Math.max(...(await waitsBehind('', 20)))).toBeLessThanOrEqual(20);
});
