import http from 'node:http';
import type { AddressInfo } from 'node:net';
import feathersErrors from '@feathersjs/errors';
import feathersExpress from '@feathersjs/express';
import feathersModule from '@feathersjs/feathers';
import { framework } from '@framework/core';
import * as ownErrors from '@framework/errors';
import express from '@framework/transport-express';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KNOWN_DIFFERENCES, NO_TAG, type Seen } from './differences.ts';
import { allRequests, type DifferentialRequest } from './requests.ts';

type ErrorClasses = Record<string, new (message: string, data?: object) => Error>;

/** The same services for both. */
function services(errors: ErrorClasses): Record<string, [object, object?]> {
  const shown = (params: any): object => ({ query: params.query, provider: params.provider, route: params.route });
  const items = {
    id: 'id',
    async find(params: unknown) {
      return [{ method: 'find', ...shown(params) }];
    },
    async get(id: unknown, params: unknown) {
      if (id === 'none') throw new errors.NotFound!(`No record found for id '${String(id)}'`);
      return { id, ...shown(params) };
    },
    async create(data: unknown, params: unknown) {
      return Array.isArray(data) ? data : { id: 7, data, ...shown(params) };
    },
    async update(id: unknown, data: unknown, params: unknown) {
      return { id, data, ...shown(params) };
    },
    async patch(id: unknown, data: unknown, params: unknown) {
      return { id, data, ...shown(params) };
    },
    async remove(id: unknown, params: unknown) {
      return { id, ...shown(params) };
    },
    async shout(data: unknown) {
      return { shouted: data };
    },
    async hidden() {
      return 'reached';
    },
  };
  return {
    items: [items, { methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'shout'] }],
    'users/:userId/notes': [items],
    'read-only': [
      {
        async find() {
          return [];
        },
        async get(id: unknown) {
          return { id };
        },
      },
    ],
    'failing/:name': [
      {
        async find(params: any) {
          throw new errors[params.route.name]!('Failed', { fact: 1, errors: [{ path: 'a' }] });
        },
      },
    ],
    empty: [
      {
        async find() {
          return null;
        },
        async create() {
          return null;
        },
      },
    ],
    undefined: [
      {
        async find() {
          return undefined;
        },
      },
    ],
    zero: [
      {
        async find() {
          return 0;
        },
      },
    ],
    status: [
      {
        async find() {
          return { a: 1 };
        },
      },
    ],
    redirect: [
      {
        async find() {
          return { a: 1 };
        },
      },
    ],
  };
}

function addHooks(app: { service(path: string): { hooks(map: object): unknown } }): void {
  app.service('status').hooks({
    after: {
      find: [
        (context: any) => {
          context.http.status = 206;
          context.http.headers = { 'X-Own': 'a' };
        },
      ],
    },
  });
  app.service('redirect').hooks({
    after: {
      find: [
        (context: any) => {
          context.http.location = '/a b';
        },
      ],
    },
  });
}

async function startTheirs(): Promise<http.Server> {
  const wrap = feathersExpress as unknown as any;
  const app = wrap((feathersModule as unknown as { feathers(): object }).feathers());
  app
    .use(wrap.json())
    .use(wrap.urlencoded({ extended: true }))
    .configure(wrap.rest());
  for (const [path, [service, options]] of Object.entries(services(feathersErrors as unknown as ErrorClasses)))
    app.use(path, service, ...(options ? [options] : []));
  addHooks(app);
  app.use(wrap.notFound()).use(wrap.errorHandler({ logger: false }));
  return app.listen(0);
}

async function startOurs(): Promise<http.Server> {
  const app = express(framework()) as unknown as any;
  app
    .use(express.json())
    .use(express.urlencoded({ extended: true }))
    .configure(express.rest());
  for (const [path, [service, options]] of Object.entries(services(ownErrors as unknown as ErrorClasses)))
    app.use(path, service, ...(options ? [options] : []));
  addHooks(app);
  app.use(express.notFound()).use(express.errorHandler({ logger: false }));
  return app.listen(0);
}

let theirs: http.Server;
let ours: http.Server;
beforeAll(async () => {
  theirs = await startTheirs();
  ours = await startOurs();
});
afterAll(() => {
  theirs.close();
  ours.close();
});

function ask(server: http.Server, request: DifferentialRequest): Promise<Seen> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = http.request(
      { port, host: '127.0.0.1', path: request.path, method: request.method, headers: { ...request.headers }, agent: false },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
          })
          .on('error', reject)
          .on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              type: String(response.headers['content-type'] ?? '').split(';')[0] ?? '',
              location: String(response.headers.location ?? ''),
              etag: String(response.headers.etag ?? ''),
              body: parsed(text),
            });
          });
      },
    );
    sent.on('error', reject);
    sent.end(request.body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.startsWith('<') ? 'html' : text;
  }
}

it('answers as the incumbent does, except where it is meant: every difference has its reason', async () => {
  const requests = allRequests();
  expect(requests.length).toBeGreaterThanOrEqual(300);
  const counts = new Map<string, number>();
  const unexplained: unknown[] = [];
  for (const request of requests) {
    let [their, our] = [await ask(theirs, request), await ask(ours, request)];
    if (NO_TAG.applies(request, their, our)) {
      counts.set(NO_TAG.reason, (counts.get(NO_TAG.reason) ?? 0) + 1);
      [their, our] = [
        { ...their, etag: '' },
        { ...our, etag: '' },
      ];
    }
    if (JSON.stringify(their) === JSON.stringify(our)) continue;
    const known = KNOWN_DIFFERENCES.find((difference) => difference.applies(request, their, our));
    if (known) counts.set(known.reason, (counts.get(known.reason) ?? 0) + 1);
    else
      unexplained.push({
        request: `${request.method} ${request.path} ${JSON.stringify(request.headers)} ${request.body ?? ''}`,
        their: JSON.stringify(their),
        our: JSON.stringify(our),
      });
  }
  console.log(
    `${requests.length} requests; differences that are meant:\n${[...counts].map(([reason, count]) => `  ${count} x ${reason}`).join('\n')}`,
  );
  expect(unexplained).toEqual([]);
  expect([NO_TAG, ...KNOWN_DIFFERENCES].filter(({ reason }) => !counts.has(reason)).map(({ reason }) => reason)).toEqual([]);
});
