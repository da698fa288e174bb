import { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import { MemoryService } from '@framework-internal/testing';
import {
  authenticate,
  AuthenticationBaseStrategy,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationResult,
} from '@framework/authentication';
import { repeating, type HookContext, type NextFunction, type Params } from '@framework/core';
import { Conflict, GeneralError, Unavailable } from '@framework/errors';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  authenticate as authenticateRequests,
  idempotent,
  MemoryIdempotencyStore,
  type Application,
  type HeldKey,
  type IdempotencyStore,
  type IdempotentOptions,
} from '../../src/index.ts';
import { send, sendJson, start, type Answer, type Running } from '../harness.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

let count = 0;
/** A key that no other call has had. */
const newKey = (): string => `key-of-the-tests-${++count}`;

interface Shop extends Running {
  /** Texts that were written. */
  readonly made: string[];
  /** Events that were told. */
  readonly told: string[];
  /** What `create` waits for, or throws. */
  before: () => Promise<void> | void;
}

async function shop(options: IdempotentOptions = {}, add: (app: Application) => void = () => undefined): Promise<Shop> {
  const made: string[] = [];
  const told: string[] = [];
  const running = await start((app) => {
    class Orders extends MemoryService {
      override async create(data: Record<string, unknown>, params?: Params): Promise<Record<string, unknown>> {
        await state.before();
        params?.signal?.throwIfAborted();
        made.push(String(data.text));
        return (await super.create({ ...data, at: new Date(0) })) as Record<string, unknown>;
      }
    }
    app.use('orders', new Orders({ startId: 1, multi: true }));
    app.hooks({ around: { all: [idempotent(options)] } });
    app.service('orders').on('created', (record: unknown) => told.push((record as { text: string }).text));
    add(app);
  });
  ends.push(() => running.stop());
  const state: Shop = Object.assign(running, { made, told, before: () => undefined });
  return state;
}

const order = (at: Running, key: string, data: object = { text: 'tea' }, headers: Record<string, string> = {}): Promise<Answer> =>
  sendJson(at.url, 'POST', '/orders', data, { 'idempotency-key': key, ...headers });

/** Lets the next `create` begin, and go on when it is told to. */
function held(at: Shop): { readonly begun: Promise<void>; go(): void } {
  let go = (): void => undefined;
  const waits = new Promise<void>((resolve) => (go = resolve));
  const begun = new Promise<void>((resolve) => {
    at.before = () => {
      resolve();
      return waits;
    };
  });
  return { begun, go };
}

describe('a write with an Idempotency-Key', () => {
  it('is made once, and answered alike each time', async () => {
    const at = await shop();
    const key = newKey();
    const first = await order(at, key);
    const second = await order(at, key);
    expect([first.status, first.headers.location, first.headers['idempotency-replayed']]).toEqual([201, '/orders/1', undefined]);
    expect([second.status, second.headers.location, second.headers['idempotency-replayed']]).toEqual([201, '/orders/1', 'true']);
    expect(second.text).toBe(first.text);
    expect([at.made, at.told]).toEqual([['tea'], ['tea']]);
    expect((await order(at, newKey())).body.id).toBe(2);
    expect((await sendJson(at.url, 'POST', '/orders', { text: 'no key' })).body.id).toBe(3);
  });

  it('is any write: patches, removals and lists too', async () => {
    const at = await shop();
    await order(at, newKey(), { text: 'tea' });
    for (const [method, path, data] of [
      ['PATCH', '/orders/1', { text: 'coffee' }],
      ['PUT', '/orders/1', { text: 'milk' }],
      ['DELETE', '/orders/1', undefined],
    ] as const) {
      const headers = { 'idempotency-key': newKey() };
      const answers = [await sendJson(at.url, method, path, data, headers), await sendJson(at.url, method, path, data, headers)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[1]!.text).toBe(answers[0]!.text);
    }
    expect((await send(at.url, '/orders', { headers: { 'idempotency-key': 'x' } })).body).toEqual([]);
  });

  it('is none that brings files or a stream, which nobody can compare: it is refused with a key, and made without', async () => {
    const sent: unknown[] = [];
    const at = await shop({}, (app) => {
      const upload: RequestHandler = (req, _res, next) => {
        const chunks: Buffer[] = [];
        req
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            req.body = { title: 'a cat' };
            req.framework = { ...req.framework, file: Buffer.concat(chunks).length } as never;
            next();
          });
      };
      const stream: RequestHandler = (req, _res, next) => {
        req.body = Readable.from([1]);
        next();
      };
      const create = async (data: unknown, params: Params): Promise<object> => {
        sent.push((params as { file?: unknown }).file ?? 'stream');
        return { id: 1 };
      };
      app.use('images', upload, { create }).use('streams', stream, { create });
    });
    for (const [path, type] of [
      ['/images', 'Multipart/Form-Data; boundary=x'],
      ['/streams', 'application/octet-stream'],
    ] as const) {
      const post = (body: string, key?: string): Promise<Answer> =>
        send(at.url, path, { method: 'POST', headers: { 'content-type': type, ...(key && { 'idempotency-key': key }) }, body });
      const refused = await post('--x a file', newKey());
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('can not be compared when they come again')]);
      expect((await post('--x a file')).status).toBe(201);
    }
    expect(sent).toEqual([10, 'stream']);
  });

  it('that is being made is not made beside it', async () => {
    const at = await shop();
    const key = newKey();
    const { begun, go } = held(at);
    const first = order(at, key);
    await begun;
    const second = await order(at, key);
    go();
    expect([second.status, second.body.message, second.headers['retry-after']]).toEqual([
      409,
      'The first call with this Idempotency-Key is being made: ask again later',
      '1',
    ]);
    expect([(await first).status, (await order(at, key)).status, at.made.length]).toEqual([201, 201, 1]);
  });

  it('is finished though its caller has gone, who then gets its answer', async () => {
    const at = await shop();
    const key = newKey();
    const { begun, go } = held(at);
    const gone = new AbortController();
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const lost = fetch(`${at.url}/orders`, { method: 'POST', body: '{"text":"tea"}', headers, signal: gone.signal });
    await begun;
    gone.abort();
    await expect(lost).rejects.toThrow('aborted');
    go();
    let answer = await order(at, key);
    while (answer.status === 409) answer = await order(at, key);
    expect([answer.status, answer.body.id, at.made]).toEqual([201, 1, ['tea']]);
  });

  it('is another call: refused', async () => {
    const at = await shop();
    const key = newKey();
    await order(at, key);
    expect((await order(at, key, { text: 'coffee' })).body).toMatchObject({
      code: 422,
      message: 'This Idempotency-Key was sent with another call: make a new one for each call',
    });
    const elsewhere = await sendJson(at.url, 'PATCH', '/orders/1', { text: 'tea' }, { 'idempotency-key': key });
    expect([elsewhere.status, elsewhere.body.name]).toEqual([422, 'Unprocessable']);
    expect(at.made).toEqual(['tea']);
  });

  it.each<[string, string, Record<string, string>]>([
    ['record', '/shops/one/orders/2', {}],
    ['part of the path', '/shops/two/orders/1', {}],
    ['query', '/shops/one/orders/1?$select[]=text', {}],
    ['condition', '/shops/one/orders/1', { 'if-match': '*' }],
  ])('is another call where its %s is another', async (_what, path, headers) => {
    const at = await shop({}, (app) => {
      const patch = async (id: unknown, data: object): Promise<object> => Promise.resolve({ id, rev: 1, ...data });
      app.use('shops/:shop/orders', { id: 'id', version: 'rev', patch } as never, { conditional: true } as never);
    });
    const key = newKey();
    const patch = (place: string, more: Record<string, string>): Promise<Answer> =>
      sendJson(at.url, 'PATCH', place, { text: 'coffee' }, { 'idempotency-key': key, ...more });
    expect((await patch('/shops/one/orders/1', {})).status).toBe(200);
    expect((await patch(path, headers)).status).toBe(422);
    expect((await patch('/shops/one/orders/1', {})).headers['idempotency-replayed']).toBe('true');
  });

  it('that calls other services on behalf of its caller takes one key', async () => {
    const seen: unknown[] = [];
    const at = await shop({}, (app) => {
      app.use('lines', new MemoryService({ startId: 1 }));
      app.service('orders').hooks({
        before: {
          create: async ({ data, params }: HookContext) => {
            seen.push(params.signal);
            await app.service('lines').create({ of: (data as { text: string }).text } as never, params as never);
          },
        },
      } as never);
    });
    const key = newKey();
    expect([(await order(at, key)).status, (await order(at, key)).status]).toEqual([201, 201]);
    expect([seen, (await send(at.url, '/lines')).body]).toEqual([[undefined], [{ id: 1, of: 'tea' }]]);
  });

  it('is answered alike where a hook has said how', async () => {
    const at = await shop({}, (app) => {
      const accepted = async (context: HookContext, next: NextFunction): Promise<void> => {
        await next();
        context.http = { status: 202, headers: { 'X-Place': 'third' } };
      };
      app.service('orders').hooks({ around: { create: [accepted] } } as never);
    });
    const key = newKey();
    const answers = [await order(at, key), await order(at, key)];
    expect(answers.map(({ status, headers }) => [status, headers['x-place'], headers['idempotency-replayed']])).toEqual([
      [202, 'third', undefined],
      [202, 'third', 'true'],
    ]);
  });

  it('is refused with a key that is none', async () => {
    const at = await shop();
    for (const key of ['short', 'with spaces in the middle', 'x'.repeat(256), '\u00fcmlauts-are-no-letters'])
      expect([key, (await order(at, key)).body]).toEqual([
        key,
        expect.objectContaining({ code: 400, message: expect.stringContaining('16 to 255 letters') }),
      ]);
    expect(at.made).toEqual([]);
  });

  it('that was refused before its method may be made again', async () => {
    const at = await shop();
    const key = newKey();
    let open = false;
    at.app.service('orders').hooks({
      before: {
        create: [
          () => {
            if (!open) throw new Conflict('Closed');
          },
        ],
      },
    });
    expect((await order(at, key)).status).toBe(409);
    open = true;
    expect((await order(at, key)).status).toBe(201);
    expect(at.made).toEqual(['tea']);
  });

  it('that its method has refused stays refused: some of it may be written', async () => {
    const at = await shop();
    const key = newKey();
    at.before = () => {
      if (at.made.length > 0) throw new Conflict('Sold out', { left: 0, errors: [{ path: 'text' }] });
    };
    const several = [{ text: 'tea' }, { text: 'coffee' }];
    const orders = at.app.service('orders') as unknown as MemoryService;
    at.app.use('batches', {
      create: async (data: { text: string }[]) => {
        for (const one of data) await orders.create(one);
      },
    });
    const first = await sendJson(at.url, 'POST', '/batches', several, { 'idempotency-key': key });
    at.before = () => undefined;
    const second = await sendJson(at.url, 'POST', '/batches', several, { 'idempotency-key': key });
    expect([first.status, first.body]).toEqual([
      409,
      expect.objectContaining({ message: 'Sold out', data: { left: 0 }, errors: [{ path: 'text' }] }),
    ]);
    expect([second.status, second.text]).toEqual([409, first.text]);
    expect(at.made).toEqual(['tea']);
  });

  it('that is refused behind its method stays refused', async () => {
    const at = await shop();
    const key = newKey();
    at.app.hooks({
      after: {
        create: [
          () => {
            throw new Conflict('Too late');
          },
        ],
      },
    });
    const answers = [await order(at, key), await order(at, key)];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [409, 'Too late'],
      [409, 'Too late'],
    ]);
    expect(at.made).toEqual(['tea']);
  });

  it('that fails stays failed, since nobody knows what was done', async () => {
    const at = await shop();
    for (const error of [new GeneralError('Half done'), new Unavailable('Cut'), new TypeError('A secret of the server')]) {
      const failing = newKey();
      at.before = () => {
        throw error;
      };
      const { status } = await order(at, failing);
      at.before = () => undefined;
      const again = await order(at, failing);
      expect([again.status, again.body.message]).toEqual([status, expect.stringContaining('has failed before')]);
      expect(again.text).not.toContain('secret');
    }
    expect(at.made).toEqual([]);
  });

  it('keeps the status of errors of other families', async () => {
    const at = await shop();
    const foreign = { type: 'FeathersError', name: 'PaymentError', code: 402, className: 'payment-error' };
    const exposed = { expose: true, status: 422, statusCode: 422, name: 'UnprocessableEntityError' };
    for (const [facts, status] of [
      [foreign, 402],
      [exposed, 422],
    ] as const) {
      const key = newKey();
      at.before = () => {
        throw Object.assign(new Error('Not paid'), facts);
      };
      const answers = [await order(at, key), await order(at, key)];
      expect(answers.map((answer) => [answer.status, answer.body.message])).toEqual([
        [status, 'Not paid'],
        [status, 'Not paid'],
      ]);
    }
  });

  it.each([
    ['too large', 201, { text: 'x'.repeat(1_000_001) }],
    ['bytes', 201, Buffer.from('bytes')],
    ['what JSON has no form for', 500, { count: 1n }],
  ])('whose answer is %s is not made again', async (_name, firstStatus, answer) => {
    let made = 0;
    const at = await shop({}, (app) => {
      app.use('large', {
        create: async () => {
          made += 1;
          return answer;
        },
      });
    });
    const headers = { 'idempotency-key': newKey() };
    expect((await sendJson(at.url, 'POST', '/large', {}, headers)).status).toBe(firstStatus);
    const { status, body } = await sendJson(at.url, 'POST', '/large', {}, headers);
    expect([status, body.message, made]).toEqual([409, 'This call was made before, and what it gave is not kept: read what you need', 1]);
  });

  it('that is tried again in a transaction has its key already', async () => {
    const at = await shop({}, (app) => {
      const retry = repeating(async (context: HookContext, next: NextFunction) => {
        const { params } = context;
        await next().catch(async () => {
          context.params = params;
          await next();
        });
      });
      app.service('orders').hooks({ around: { create: [retry, idempotent({ store: new MemoryIdempotencyStore() })] } });
    });
    let fails = 1;
    at.before = () => {
      if (fails-- > 0) throw new Conflict('Written by another');
    };
    const key = newKey();
    expect([(await order(at, key)).status, (await order(at, key)).status, at.made]).toEqual([201, 201, ['tea']]);
  });
});

describe('what is kept', () => {
  /** A store whose texts can be looked at. */
  function watched(): { readonly store: IdempotencyStore; readonly texts: string[] } {
    const inside = new MemoryIdempotencyStore();
    const texts: string[] = [];
    const store: IdempotencyStore = {
      take: (...args) => inside.take(...args),
      free: (...args) => inside.free(...args),
      keep: (held, outcome) => {
        texts.push(outcome);
        return inside.keep(held, outcome);
      },
    };
    return { store, texts };
  }

  async function sentTwice(at: Running): Promise<readonly [Answer, Answer]> {
    const key = newKey();
    return [await order(at, key), await order(at, key)];
  }

  it('is what the caller got, where a hook made something else of it', async () => {
    const { store, texts } = watched();
    const at = await shop({ store }, (app) => {
      app.service('orders').hooks({
        after: {
          create: [
            (context: HookContext) => {
              context.dispatch = { text: 'shown' };
            },
          ],
        },
      });
    });
    const [first, second] = await sentTwice(at);
    expect([first.body, second.body, second.headers['idempotency-replayed']]).toEqual([{ text: 'shown' }, { text: 'shown' }, 'true']);
    expect(texts.map((text) => (JSON.parse(text) as { value: unknown }).value)).toEqual([{ text: 'shown' }]);
  });
});

describe('callers', () => {
  const withLogin = (hook: object): Promise<Running> =>
    start((app) => {
      app.set('authentication', { secret: 'a secret of more than thirty-two bytes, for tests', entity: null, authStrategies: ['jwt'] });
      const authentication = new AuthenticationService(app as never);
      authentication.register('jwt', new JWTStrategy());
      app.use('authentication', authentication);
      app.use('orders', new MemoryService({ startId: 1 }));
      app.service('orders').hooks({ around: { create: [hook as never, idempotent()] } });
    });

  it('have keys of their own, whatever their token, and are let in each time', async () => {
    const at = await withLogin(async (context: HookContext, next: NextFunction) => {
      await authenticate('jwt')(context, async () => undefined);
      await next();
    });
    ends.push(() => at.stop());
    const authentication = at.app.service('authentication') as unknown as AuthenticationService;
    const [ann, later, bob] = await Promise.all(['ann', 'ann', 'bob'].map((subject) => authentication.createAccessToken({}, { subject })));
    const key = newKey();
    const as = (token: string | undefined) => order(at, key, { text: 'tea' }, { authorization: `Bearer ${String(token)}` });
    const answers = [await as(ann), await as(bob), await as(ann), await as(later)];
    expect(answers.map(({ body }) => body.id)).toEqual([1, 2, 1, 1]);
    expect((await order(at, key)).status).toBe(401);
    const headers = { authorization: `Bearer ${String(ann)}` };
    expect((await sendJson(at.url, 'DELETE', '/authentication', undefined, headers)).status).toBe(200);
    expect((await as(ann)).status).toBe(401);
  });

  it.each(['hook', 'middleware'])(
    'of two authentication services are two though they have the same id, by the %s that let them in',
    async (by) => {
      const byHook = async (context: HookContext, next: NextFunction): Promise<void> => {
        if (by === 'hook') await authenticate({ service: String(context.params.headers?.['x-service']), strategies: ['jwt'] })(context);
        await next();
      };
      const byMiddleware: RequestHandler = (req, res, next) => {
        if (by === 'hook') next();
        else void authenticateRequests({ service: String(req.headers['x-service']), strategies: ['jwt'] })(req, res, next);
      };
      const services: AuthenticationService[] = [];
      const at = await start((app) => {
        for (const path of ['authentication', 'staff']) {
          app.set(path, { secret: `a secret of ${path}, of more than thirty-two bytes`, entity: null, authStrategies: ['jwt'] });
          const service = new AuthenticationService(app as never, path);
          service.register('jwt', new JWTStrategy());
          app.use(path, service);
          services.push(service);
        }
        app.use('orders', byMiddleware, new MemoryService({ startId: 1 }));
        app.service('orders').hooks({ around: { create: [byHook, idempotent()] } });
      });
      ends.push(() => at.stop());
      const [user, administrator] = await Promise.all(services.map((service) => service.createAccessToken({}, { subject: '1' })));
      const key = newKey();
      const as = async (service: string, token: string | undefined): Promise<unknown> =>
        (await order(at, key, undefined, { authorization: `Bearer ${String(token)}`, 'x-service': service })).body.id;
      const ids = [
        await as('authentication', user),
        await as('staff', administrator),
        await as('authentication', user),
        await as('staff', administrator),
      ];
      expect(ids).toEqual([1, 2, 1, 2]);
    },
  );

  it('whose login is not looked at have keys by what they send', async () => {
    const at = await shop();
    const key = newKey();
    const answers = [await order(at, key), await order(at, key, undefined, { authorization: 'Bearer one' })];
    expect(answers.map(({ body }) => body.id)).toEqual([1, 1]);
    const known = await withLogin(async (_context: HookContext, next: NextFunction) => next());
    ends.push(() => known.stop());
    const sent = ['one', 'two', 'one'].map((token) => ({ authorization: `Bearer ${token}` }));
    const ids: unknown[] = [];
    for (const headers of sent) ids.push((await order(known, key, undefined, headers)).body.id);
    expect(ids).toEqual([1, 2, 1]);
  });

  it.each(['_id', 'id'])('without a token have keys of their own by the %s of their user', async (name) => {
    const at = await withLogin(async (context: HookContext, next: NextFunction) => {
      const user = { [name]: context.params.headers?.['x-user'] };
      context.params = { ...context.params, authenticated: true, authentication: { strategy: 'own' }, user } as never;
      await next();
    });
    ends.push(() => at.stop());
    const key = newKey();
    const ids: unknown[] = [];
    for (const user of ['ann', 'bob', 'ann']) ids.push((await order(at, key, undefined, { 'x-user': user })).body.id);
    expect(ids).toEqual([1, 2, 1]);
  });

  it.each(['_id', 'id'])(
    'whom a hook of the application knows have keys of their own by the %s of their user, whatever they send',
    async (name) => {
      const at = await withLogin(async (context: HookContext, next: NextFunction) => {
        const user = context.params.headers?.['x-user'];
        if (user !== undefined) context.params = { ...context.params, user: { [name]: user } } as never;
        await next();
      });
      ends.push(() => at.stop());
      const key = newKey();
      const calls = [{ 'x-user': 'ann' }, { 'x-user': 'bob' }, {}, { 'x-user': 'ann', authorization: 'Bearer other' }, {}];
      const ids: unknown[] = [];
      for (const headers of calls) ids.push((await order(at, key, undefined, headers as Record<string, string>)).body.id);
      expect(ids).toEqual([1, 2, 3, 1, 3]);
    },
  );

  it('who log in get tokens of their own each time: tokens are kept nowhere', async () => {
    class Own extends AuthenticationBaseStrategy {
      async authenticate(): Promise<AuthenticationResult> {
        return Promise.resolve({ authentication: { strategy: 'own' }, user: { id: 'ann' } });
      }
    }
    const at = await shop({}, (app) => {
      const secret = 'a secret of more than thirty-two bytes, for tests';
      app.set('authentication', { secret, entity: 'user', service: 'people', authStrategies: ['own'] });
      app.use('people', new MemoryService());
      const authentication = new AuthenticationService(app as never);
      authentication.register('own', new Own());
      app.use('authentication', authentication);
    });
    const headers = { 'idempotency-key': newKey() };
    const logIn = (): Promise<Answer> => sendJson(at.url, 'POST', '/authentication', { strategy: 'own' }, headers);
    const [first, second] = [await logIn(), await logIn()];
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([201, 201, undefined]);
    expect(first.body.accessToken).not.toBe(second.body.accessToken);
  });

  it('are told apart by ids of whatever kind', async () => {
    const users = [{ id: 0 }, { id: '0' }, { _id: 10n }, { _id: { tenant: 1, n: 1 } }, { _id: { tenant: 1, n: 2 } }];
    const at = await withLogin(async (context: HookContext, next: NextFunction) => {
      context.params = { ...context.params, user: users[Number(context.params.headers?.['x-who'])] } as never;
      await next();
    });
    ends.push(() => at.stop());
    const key = newKey();
    const made: unknown[] = [];
    for (const who of [...users.keys(), ...users.keys()])
      made.push((await order(at, key, { text: 'tea' }, { 'x-who': String(who) })).body.id);
    expect(made).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });

  it.each([
    ['a login', { authenticated: true, authentication: { strategy: 'own' } }],
    ['a user without an id', { user: { name: 'ann' } }],
    ['a user who is no record', { user: 'ann' }],
    ['a user whose id is nothing', { user: { id: null } }],
    ['a user whose id is an empty text', { user: { id: '' } }],
    ['a user whose id is no number', { user: { id: NaN } }],
    ['a user whose id shows nothing of itself', { user: { _id: new Map([['ann', 1]]) } }],
  ])('of whom nothing is known but %s are refused', async (_title, known) => {
    const at = await withLogin(async (context: HookContext, next: NextFunction) => {
      context.params = { ...context.params, ...known } as never;
      await next();
    });
    ends.push(() => at.stop());
    const thrown: unknown[] = [];
    const watch = async (_context: HookContext, next: NextFunction): Promise<void> =>
      next().catch((error: unknown) => void thrown.push(error));
    at.app.hooks({ around: { all: [watch] } });
    await order(at, newKey());
    expect(thrown).toEqual([expect.objectContaining({ message: expect.stringContaining("give it the option 'caller'") })]);
    expect((await sendJson(at.url, 'GET', '/orders', undefined)).body).toEqual([]);
  });
});

describe('the option caller', () => {
  it.each<[string, (who: string) => unknown]>([
    ['a promise', async (who) => Promise.resolve(who)],
    ['undefined', () => undefined],
    ['null', () => null],
    ['an empty text', () => ''],
    ['number', () => 5],
    ['object', (who) => new Map([[who, who]])],
  ])('that gives %s for everybody gives nobody the answer of another', async (kind, caller) => {
    const at = await shop({ caller: (({ params }: HookContext) => caller(String(params.headers?.['x-who']))) as never });
    const thrown: unknown[] = [];
    const watch = async (_context: HookContext, next: NextFunction): Promise<void> =>
      next().catch((error: unknown) => void thrown.push(error));
    at.app.service('orders').hooks({ around: { all: [watch] } });
    const key = newKey();
    const answers = [await order(at, key, { text: 'tea' }, { 'x-who': 'ann' }), await order(at, key, { text: 'tea' }, { 'x-who': 'bob' })];
    expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual([
      [500, undefined],
      [500, undefined],
    ]);
    expect(at.made).toEqual([]);
    expect(() => idempotent({ caller: kind as never })).toThrow("The option 'caller' of idempotent() is a function");
  });

  it('tells callers apart by its text', async () => {
    const at = await shop({ caller: ({ params }) => String(params.headers?.['x-who']) });
    const key = newKey();
    const as = async (who: string): Promise<unknown> => (await order(at, key, { text: 'tea' }, { 'x-who': who })).body.id;
    expect([await as('ann'), await as('bob'), await as('ann')]).toEqual([1, 2, 1]);
  });
});

describe('the store', () => {
  it('forgets the oldest beyond its bounds, and none that is being made', async () => {
    const store = new MemoryIdempotencyStore({ maxKeys: 2, maxSize: 10 });
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => ({ key, holder: `holder of ${key}` })) as [HeldKey, HeldKey, HeldKey, HeldKey];
    expect(await store.take(a, 'f', 1000)).toBeUndefined();
    await store.keep(a, '12345');
    expect(await store.take(b, 'f', 1000)).toBeUndefined();
    expect(await store.take(c, 'f', 1000)).toBeUndefined();
    expect(await store.take(b, 'g', 1000)).toMatchObject({ fingerprint: 'f', outcome: undefined });
    await expect(store.take(d, 'f', 1000)).rejects.toMatchObject({ code: 503 });
    await store.free(b);
    await store.keep(c, '12345678901');
    expect(await store.take(c, 'f', 1000)).toBeUndefined();
  });

  it('lets nobody write who has lost the key to another call', async () => {
    const store = new MemoryIdempotencyStore();
    const [late, present] = ['late', 'present'].map((holder) => ({ key: 'one key', holder })) as [HeldKey, HeldKey];
    expect(await store.take(late, 'f', -1)).toBeUndefined();
    expect(await store.take(present, 'g', 1000)).toBeUndefined();
    await store.keep(late, 'of the late one');
    await store.free(late);
    expect(await store.take(late, 'f', 1000)).toMatchObject({ fingerprint: 'g', outcome: undefined });
    await store.keep(present, 'of the present one');
    expect(await store.take(late, 'f', 1000)).toMatchObject({ outcome: 'of the present one' });
  });

  it('is told how long to keep a key', async () => {
    const store = new MemoryIdempotencyStore();
    const kept: number[] = [];
    const noting: IdempotencyStore = {
      take: (held, fingerprint, milliseconds) => {
        kept.push(milliseconds);
        return store.take(held, fingerprint, milliseconds);
      },
      keep: (...args) => store.keep(...args),
      free: (...args) => store.free(...args),
    };
    await order(await shop({ store: noting, keep: 5 }), newKey());
    await order(await shop({ store: noting }), newKey());
    expect(kept).toEqual([5000, 86_400_000]);
  });

  it('forgets what has ended', async () => {
    const at = await shop({ keep: 0.001 });
    const key = newKey();
    await order(at, key);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await order(at, key);
    expect(at.made).toEqual(['tea', 'tea']);
  });

  it('that can not take a key fails the call, and one that can not keep an answer does not', async () => {
    const down = async (): Promise<never> => Promise.reject(new Unavailable('The store is down'));
    const store: IdempotencyStore = new MemoryIdempotencyStore();
    const closed = await shop({ store: { take: down, keep: down, free: down } });
    expect((await order(closed, newKey())).status).toBe(503);
    expect(closed.made).toEqual([]);
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    ends.push(() => warning.mockRestore());
    const half = await shop({ store: { take: (...args) => store.take(...args), keep: down, free: down } });
    const key = newKey();
    expect([(await order(half, key)).status, (await order(half, key)).status]).toEqual([201, 409]);
    expect(warning).toHaveBeenCalledWith(expect.stringContaining('was not kept yet: The store is down'));
    // Not once more for each call, as long as it is down.
    for (let call = 0; call < 3; call++) expect((await order(half, newKey())).status).toBe(201);
    expect(warning).toHaveBeenCalledTimes(1);
  });

  it('that takes a key and can not say so gives it back: nothing was made, and the call may come again', async () => {
    const store = new MemoryIdempotencyStore();
    let connected = false;
    const take: IdempotencyStore['take'] = async (...args) => {
      const found = await store.take(...args);
      if (!connected) throw new Error('the connection to 10.0.0.7 was reset');
      return found;
    };
    const at = await shop({ store: { take, keep: (...args) => store.keep(...args), free: (...args) => store.free(...args) } });
    const key = newKey();
    const refused = await order(at, key);
    expect([refused.status, refused.body]).toEqual([
      503,
      expect.objectContaining({ message: 'Keys of calls can not be taken at present: try again later' }),
    ]);
    expect(JSON.stringify(refused.body)).not.toContain('10.0.0.7');
    expect(at.made).toEqual([]);
    connected = true;
    expect((await order(at, key)).status).toBe(201);
    expect(at.made).toEqual(['tea']);
  });

  /** A store that can not be reached for `keep` and `free` until it is up. */
  const unreachable = (inside: IdempotencyStore): { store: IdempotencyStore; isUp: boolean; tries: number } => {
    const through = async (work: () => Promise<void>): Promise<void> => {
      state.tries++;
      if (!state.isUp) throw new Unavailable('The store is down');
      await work();
    };
    const store: IdempotencyStore = {
      take: (...args) => inside.take(...args),
      keep: (...args) => through(() => inside.keep(...args)),
      free: (...args) => through(() => inside.free(...args)),
    };
    const state = { store, isUp: false, tries: 0 };
    return state;
  };
  /** Asks until the answer is another one than that the call is being made. */
  const ordered = async (at: Shop, key: string, text = 'tea'): Promise<Answer> => {
    for (let asked = 1; ; asked++) {
      const answer = await order(at, key, { text });
      if (answer.status !== 409 || asked === 400) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('that can not keep answers when calls end has them once it can be reached again, and keys are free where nothing was done', async () => {
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    ends.push(() => warning.mockRestore());
    const state = unreachable(new MemoryIdempotencyStore());
    let refused = 0;
    const at = await shop({ store: state.store }, (app) => {
      const refuse = (context: HookContext): void => {
        if ((context.data as { text: string }).text === 'cake' && refused++ === 0) throw new Conflict('Sold out');
      };
      app.service('orders').hooks({ before: { create: [refuse] } });
    });
    const [made, free] = [newKey(), newKey()];
    const first = await order(at, made);
    expect([first.status, (await order(at, free, { text: 'cake' })).status]).toEqual([201, 409]);
    expect([(await order(at, made)).status, state.tries]).toEqual([409, 2]);
    state.isUp = true;
    const again = await ordered(at, made);
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true']);
    expect((await ordered(at, free, 'cake')).headers['idempotency-replayed']).toBeUndefined();
    expect(at.made).toEqual(['tea', 'cake']);
  }, 60_000);

  it('has no outcome of a call for minutes: nobody knows what was done, and the client is not to ask again', async () => {
    const inside = new MemoryIdempotencyStore();
    let later = 0;
    const take: IdempotencyStore['take'] = async (...args) => {
      const found = await inside.take(...args);
      return found && { ...found, age: found.age + later };
    };
    const at = await shop({ store: { take, keep: (...args) => inside.keep(...args), free: (...args) => inside.free(...args) } });
    const { begun, go } = held(at);
    const key = newKey();
    const first = order(at, key);
    await begun;
    const young = await order(at, key);
    expect([young.status, young.headers['retry-after']]).toEqual([409, '1']);
    later = 300_001;
    const old = await order(at, key);
    expect([old.status, old.headers['retry-after'], (old.body as { message: string }).message]).toEqual([
      409,
      undefined,
      expect.stringContaining('nobody knows how much of it was done'),
    ]);
    // One that only takes long is answered as soon as it has ended.
    go();
    expect([(await first).status, (await order(at, key)).status]).toEqual([201, 201]);
    expect(at.made).toEqual(['tea']);
  });

  it('that can neither take a key nor give it back fails the call with its own error', async () => {
    const take = async (): Promise<never> => Promise.reject(new Unavailable('The store is down'));
    const free = async (): Promise<never> => Promise.reject(new Error('Still down'));
    const at = await shop({ store: { take, keep: free, free } });
    const refused = await order(at, newKey());
    expect([refused.status, refused.body]).toEqual([503, expect.objectContaining({ message: 'The store is down' })]);
  });

  it('and its options have to be meant', () => {
    expect(() => idempotent({ ttl: 1 } as never)).toThrow("idempotent() has no option 'ttl'. It has keep, store, caller");
    expect(() => idempotent({ keep: 0 })).toThrow("The option 'keep' of idempotent() is a number of seconds above 0");
    for (const store of [null, 5, {}, { take: async () => undefined }] as never[])
      expect(() => idempotent({ store })).toThrow("The option 'store' of idempotent() has to have the methods take, keep and free");
    expect(() => new MemoryIdempotencyStore({ maxKeys: '5' as never })).toThrow("'maxKeys' and 'maxSize' are numbers of 1 and more");
    expect(() => new MemoryIdempotencyStore({ maxKeys: 0 })).toThrow("'maxKeys' and 'maxSize' are numbers of 1 and more");
  });
});
