import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '@framework-internal/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let child: ChildProcess;
let url: string;
let output = '';

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 120_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (Date.now() > end) throw new Error(`It did not happen. Output so far:\n${output}`);
  }
};

const listening = (): number => output.match(/listens on port/g)?.length ?? 0;

const startCluster = (port: number): ChildProcess =>
  spawn(process.execPath, [main], { env: { ...process.env, PORT: String(port), WORKERS: '2' } });

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = startCluster(port);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  await until(() => listening() === 2);
});
afterAll(() => {
  child.kill('SIGKILL');
});

/** Each request comes over a connection of its own, which the primary gives to one of the workers. */
async function processesOf(requests: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let index = 0; index < requests; index++) {
    const answer = await fetch(`${url}/primes/97`, { headers: { connection: 'close' } });
    const { prime, process: pid } = (await answer.json()) as { prime: boolean; process: number };
    expect(prime).toBe(true);
    counts.set(pid, (counts.get(pid) ?? 0) + 1);
  }
  return counts;
}

describe('the cluster', () => {
  it('shares one port among its processes, evenly', async () => {
    const counts = await processesOf(20);
    expect([...counts.values()]).toEqual([10, 10]);
    expect(counts.has(child.pid as number)).toBe(false);
  });

  it('brings the events of each process to the connections of all', async () => {
    const end = new AbortController();
    const texts: string[] = ['', '', '', ''];
    const reading = texts.map(async (_text, index) => {
      const { body } = await fetch(`${url}/events`, { headers: { connection: 'close' }, signal: end.signal });
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
        texts[index] = String(texts[index]) + Buffer.from(chunk).toString();
    });
    await until(() => texts.every((text) => text.includes('event: connection')));
    const pids = new Set<number>();
    for (let number = 0; number < 4; number++) {
      const headers = { 'content-type': 'application/json', connection: 'close' };
      const answer = await fetch(`${url}/notes`, { method: 'POST', headers, body: JSON.stringify({ text: `note ${number}` }) });
      pids.add(((await answer.json()) as { process: number }).process);
    }
    await until(() => texts.every((text) => text.includes('note 3')));
    expect(pids.size).toBe(2);
    const notes = texts.map((text) => text.match(/note \d/g));
    expect(notes).toEqual(texts.map(() => ['note 0', 'note 1', 'note 2', 'note 3']));
    end.abort();
    await Promise.allSettled(reading);
  });

  it('replaces a process that crashes, and goes on answering meanwhile', async () => {
    const [victim] = [...(await processesOf(4)).keys()] as [number];
    process.kill(victim, 'SIGKILL');
    await until(() => output.includes(`Worker ${victim} ended with SIGKILL`));
    expect((await processesOf(4)).has(victim)).toBe(false);
    await until(() => listening() === 3);
    expect((await processesOf(10)).size).toBe(2);
  });

  it('ends on a signal with all its processes', async () => {
    const pids = [...(await processesOf(4)).keys()];
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it.each(['embedded is for development', 'listens on port'])(
    'ends on a signal that comes behind %j, while processes start',
    async (told) => {
      const starting = startCluster(await freePort());
      let written = '';
      const ended = new Promise((resolve) => starting.once('exit', resolve));
      for (const stream of [starting.stdout, starting.stderr])
        stream?.on('data', (chunk) => {
          written += String(chunk);
          if (written.includes(told)) starting.kill('SIGTERM');
        });
      expect(await ended).toBe(0);
      expect(written).not.toContain('Error');
    },
  );
});
