import http from 'node:http';
import { MemoryService, Random } from '@framework-internal/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { raw } from '../src/index.ts';
import { randomRequest, type RandomRequest } from './fuzz/random-request.ts';
import { Variety } from './fuzz/variety.ts';
import { send, start, type Running } from './harness.ts';

/** Requests of one run; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3000);
const SEED = Number(process.env.FUZZ_SEED ?? 4711);

/** Calls in which a service has thrown an error that is none of a client. */
let thrown = 0;
const unowned: unknown[] = [];
const note = (reason: unknown): void => {
  unowned.push(reason);
};

let running: Running;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  const echo = {
    id: 'id',
    get: async (id: string) => ({ id }),
    find: async ({ query }: { query?: object }) => [query],
    create: async (data: object) => data,
    update: async (id: string | null, data: object) => ({ ...data, id }),
    patch: async (id: string | null, data: object) => ({ ...data, id }),
    remove: async (id: string | null) => ({ id }),
    shout: async (data: object) => ({ data }),
  };
  const fail = async (): Promise<never> => {
    thrown += 1;
    throw new Error('secret text');
  };
  running = await start((app) => {
    app.use('items', new MemoryService({ paginate: { default: 5, max: 10 }, multi: true }));
    app.use('versions', Object.assign(new MemoryService(), { version: 'rev' }), { conditional: true });
    app.use('echo', echo, { methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'shout'] });
    app.use(':tenant/notes', { ...echo });
    app.use('files', raw({ type: 'application/octet-stream' }), {
      ...echo,
      create: async (data: object) => ({ id: 1, bytes: ArrayBuffer.isView(data) }),
    });
    app.use('streams', {
      async *records(query: object) {
        yield* Object.entries(query);
      },
      async find({ query = {} }: { query?: object }) {
        return this.records(query);
      },
    });
    app.use('fails', { find: fail, get: fail, create: fail });
    app.use(
      'wrapped',
      (_req, _res, next) => next(),
      { ...echo },
      (_req, _res, next) => next(),
    );
  });
});
afterAll(async () => {
  agent.destroy();
  await running.stop();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

function ask({ method, path, headers, body }: RandomRequest): Promise<Answered> {
  const { hostname, port } = new URL(running.url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = http.request({ hostname, port, path, method, headers: { accept: 'application/json', ...headers, ...length }, agent });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    request.end(body);
  });
}

/** A created record is found under its `Location`, and nowhere but here. */
async function checkLocation({ status, headers, text }: Answered): Promise<void> {
  if (status !== 201 || headers.location === undefined) return;
  const target = new URL(headers.location, running.url);
  if (target.origin !== running.url || !headers.location.startsWith('/')) throw new Error(`Location: ${headers.location}`);
  const found = await ask({ method: 'GET', path: headers.location, names: [], headers: {} });
  const { id } = JSON.parse(text) as { id: unknown };
  if (found.status !== 200 || String((JSON.parse(found.text) as { id: unknown }).id) !== String(id)) {
    throw new Error(`Location: ${headers.location} gives ${found.status} ${found.text} for ${String(id)}`);
  }
}

describe('random requests', () => {
  it('S9 S12 S39 are all answered, with 5xx only where a service has thrown, and the process stays alive', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    let locations = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const request = randomRequest(random);
      variety.note(request);
      const before = thrown;
      const fault = await ask(request).then(
        async (answer) => {
          variety.answered(answer.status);
          if (answer.status >= 500 !== thrown > before) return `${answer.status} ${answer.text}`;
          if (answer.headers.location !== undefined) locations += 1;
          return checkLocation(answer).then(() => undefined, String);
        },
        (error: unknown) => String(error),
      );
      if (fault !== undefined) throw new Error(`FUZZ_SEED=${SEED}, round ${round}: ${fault} for ${JSON.stringify(request)}`);
    }
    console.log(`Seed ${SEED}: ${variety.toString()}; ${locations} locations, ${thrown} errors thrown by services`);
    variety.check();
    const rare = ROUNDS < 20_000 ? [] : [304, 412];
    expect([...variety.statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404, 405, 406, 415, 500, ...rare]));
    expect([locations > ROUNDS / 200, thrown > ROUNDS / 200]).toEqual([true, true]);
    expect(unowned).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  }, 3_600_000);

  it('are told from those of a poor generator', () => {
    const poor = new Variety();
    // Its low bits repeat after a few numbers, as those of a linear generator without mixing do.
    let state = SEED;
    const stuck = Object.assign(new Random(SEED), { below: (limit: number) => (state = (state * 5 + 3) % 16) % limit });
    for (let round = 0; round < 1000; round++) poor.note(randomRequest(stuck));
    expect(() => poor.check()).toThrow('too much alike');
    const good = new Variety();
    const random = new Random(SEED);
    for (let round = 0; round < 1000; round++) good.note(randomRequest(random));
    expect(() => good.check()).not.toThrow();
  });
});

describe('S9 S12 a request that asks for much work', () => {
  const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);
  it.each([
    ['arrays in arrays', deep('[', ']', 49_000), 400],
    ['objects in objects', deep('{"a":', '}', 12_000).replace('{"a":}', '{}'), 400],
    ['many properties', `{${Array.from({ length: 9000 }, (_, index) => `"k${index}":1`).join(',')}}`, 201],
    ['a long text', `{"a":"${'x'.repeat(95_000)}"}`, 201],
    ['names of inherited properties', '{"toString":"","valueOf":1,"constructor":null,"hasOwnProperty":[]}', 201],
    ['many numbers', `[${'1,'.repeat(49_000)}1]`, 201],
    ['more than the limit', `{"a":"${'x'.repeat(110_000)}"}`, 413],
  ])('in its body, %s, is answered', async (_title, body, status) => {
    const answer = await send(running.url, '/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['many items', Array.from({ length: 500 }, (_, index) => `a[$in][]=${index}`).join('&'), 200],
    ['many names', Array.from({ length: 700 }, (_, index) => `k${index}=1`).join('&'), 200],
    ['deep names', 'a[b][c][d][e][f][g]=1&'.repeat(300), 400],
    ['very deep names', `a${'[x]'.repeat(2500)}=1`, 400],
    ['much encoding', '%41'.repeat(2600), 200],
    ['operators in operators', `${'$or[0]'.repeat(1000)}[a]=1`, 400],
    ['more than the limit', 'a'.repeat(9000), 414],
  ])('in its query, %s, is answered', async (_title, query, status) => {
    expect((await send(running.url, `/echo?${query}`)).status).toBe(status);
  });
});
