import { afterEach, describe, expect, it } from '@jest/globals';
import type { SocketioOptions } from '../src/index.ts';
import { start, stopAll, until } from './harness.ts';

afterEach(stopAll);

const SEPARATOR = '\x1e';

/** A client that polls, and sends what it is told to in one request. */
class Poller {
  readonly #address: string;

  constructor(url: string, sid: string) {
    this.#address = `${url}/socket.io/?EIO=4&transport=polling&sid=${sid}`;
  }

  /** Connects to the server. */
  static async open(url: string): Promise<Poller> {
    const answer = await (await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).text();
    const { sid } = JSON.parse(answer.slice(1)) as { sid: string };
    const poller = new Poller(url, sid);
    await poller.send(['40']);
    await poller.receive();
    return poller;
  }

  /** @returns the status */
  async send(packets: readonly string[]): Promise<number> {
    return (await fetch(this.#address, { method: 'POST', body: packets.join(SEPARATOR) })).status;
  }

  async receive(): Promise<void> {
    await (await fetch(this.#address)).text();
  }
}

interface Counts {
  readonly url: string;
  /** Calls that have reached the service. */
  readonly calls: () => number;
  /** Ends of connections that the application was told. */
  readonly ends: () => number;
}

async function counted(options: SocketioOptions = {}): Promise<Counts> {
  let calls = 0;
  let ends = 0;
  const { url } = await start((added) => {
    added.use('notes', {
      async find() {
        calls++;
        return [];
      },
    });
    added.on('disconnect', () => ends++);
  }, options);
  return { url, calls: () => calls, ends: () => ends };
}

const CALL = '420["find","notes",{}]';
const OTHER = '42["nothing"]';

describe('S9 S12 a request of a client that polls', () => {
  it.each([
    ['calls', CALL],
    ['events that nobody takes', OTHER],
    ['connections to namespaces that there are not', '40/nowhere,'],
    ['signs of life', '3'],
  ])('is bounded by the number of what it carries: %s', async (_what, packet) => {
    const { url, ends } = await counted();
    const poller = await Poller.open(url);
    await poller.send(Array.from({ length: 20_000 }, () => packet));
    await until(() => ends() === 1);
    expect(await poller.send([CALL])).toBe(400);
  });

  it('may carry a thousand packets', async () => {
    const { url, calls } = await counted();
    const poller = await Poller.open(url);
    expect(await poller.send([...Array.from({ length: 999 }, () => OTHER), CALL])).toBe(200);
    await until(() => calls() === 1);
    // The next request begins to count anew.
    expect(await poller.send([...Array.from({ length: 999 }, () => OTHER), CALL])).toBe(200);
    await until(() => calls() === 2);
  });

  it('may carry as many as calls may wait, where that is more', async () => {
    const { url, calls } = await counted({ maxCalls: 1500 });
    const poller = await Poller.open(url);
    expect(await poller.send(Array.from({ length: 1500 }, () => CALL))).toBe(200);
    await until(() => calls() === 1500);
  });
});
