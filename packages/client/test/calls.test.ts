import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, FrameworkClientError, pages, records, rest, socketio, sse } from '../src/index.ts';
import { start, type Running, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());

const clientOf = (options = {}) => createClient<TestApp>(rest(running.url, { retry: false, ...options }));

describe('calls', () => {
  it('has the six methods and custom ones', async () => {
    const messages = clientOf().service('messages');
    const made = await messages.create({ text: 'Hello', at: new Date(0), tags: ['a', 'b'] });
    expect(made).toMatchObject({ id: 1, text: 'Hello', at: '1970-01-01T00:00:00.000Z' });
    expect(await messages.get(1)).toEqual(made);
    expect(await messages.patch(1, { likes: 3 })).toMatchObject({ text: 'Hello', likes: 3 });
    expect(await messages.update(1, { text: 'Bye' })).not.toHaveProperty('likes');
    expect(await messages.create([{ text: 'b' }, { text: 'c' }])).toHaveLength(2);
    expect(await messages.patch(null, { likes: 1 }, { query: { text: { $in: ['b', 'c'] } } })).toHaveLength(2);
    expect(await messages.find({ query: { likes: 1, $sort: { text: -1 }, $select: ['text'] } })).toEqual([
      { id: 3, text: 'c', _version: expect.any(String) },
      { id: 2, text: 'b', _version: expect.any(String) },
    ]);
    expect(await messages.remove(1)).toMatchObject({ text: 'Bye' });
    expect(await messages.remove(null, { query: { likes: 1 } })).toHaveLength(2);
    expect(await messages.shout({ loud: true })).toBe('HEY');
  });

  it('gives the same service each time, with and without outer slashes, which nobody waits for', async () => {
    const client = clientOf();
    const notes = client.service('notes');
    expect(client.service('/notes')).toBe(notes);
    expect(await (async () => notes)()).toBe(notes);
    expect(JSON.stringify({ notes })).toBe('{"notes":{}}');
  });

  it('fills the placeholders of a path in, and refuses to leave them open', async () => {
    const service = clientOf().service('users/:userId/route');
    expect(await service.find({ route: { userId: 'a/b' } })).toEqual({ userId: 'a/b' });
    for (const route of [{}, { userId: undefined }, { userId: null }])
      await expect(service.find({ route: route as never })).rejects.toThrow('needs params.route.userId');
    await expect(service.find({ route: { userId: '..' } })).rejects.toThrow("'..' can not be an id");
  });

  it('asks for a relation by name', async () => {
    const { service } = clientOf();
    await service('messages').create({ text: 'mine', authorId: 1 });
    const [message] = (await service('messages').find({ query: { text: 'mine', $populate: 'author' } })) as {
      id: number;
      author?: object;
    }[];
    expect(message?.author).toEqual({ id: 1, email: 'ann@example.com' });
    const { author } = await service('messages').get(message?.id ?? 0, { query: { $populate: ['author'] } });
    expect(author?.email).toBe('ann@example.com');
  });

  it('sends files, forms and bytes as they are', async () => {
    const form = new FormData();
    form.append('file', new Blob(['twelve bytes']), 'note.txt');
    expect(await clientOf().service('uploads').create(form)).toEqual({ name: 'note.txt', size: 12 });
  });

  it('says what is missing, where types do not', () => {
    for (const nothing of [undefined, null, 5, new URL('https://api.example.com')] as never[]) {
      expect(() => rest(nothing)).toThrow(new TypeError('rest() needs a url'));
      expect(() => sse(nothing)).toThrow(new TypeError('sse() needs a url'));
      expect(() => socketio(nothing)).toThrow(new TypeError('socketio() needs a socket: io(url) of socket.io-client'));
      expect(() => createClient(nothing)).toThrow(new TypeError('createClient() needs a transport: rest(url)'));
      expect(() => clientOf().service(nothing)).toThrow(new TypeError('service() needs a path'));
    }
    expect(() => createClient('https://api.example.com' as never)).toThrow('createClient() needs a transport: rest(url)');
  });

  it('refuses ids that are none, and options that there are not', async () => {
    const notes = clientOf().service('notes');
    await expect(notes.get(undefined as never)).rejects.toThrow("'get' needs an id");
    await expect(notes.remove(undefined as never)).rejects.toThrow("'remove' needs an id");
    await expect(notes.get('')).rejects.toThrow("'' can not be an id");
    await expect(notes.get('.')).rejects.toThrow("'.' can not be an id");
    await expect(notes.patch({ text: 'no id' } as never, {})).rejects.toThrow("'[object Object]' can not be an id");
    // Text that only looks like one is honest.
    expect(await notes.get('[object] of study').catch((error: unknown) => String(error))).toMatch(/\[object\] of study/);
    expect(await notes.get('[obvious]').catch((error: unknown) => String(error))).toContain('[obvious]');
    await expect(notes.get(new Map() as never)).rejects.toThrow("'[object Map]' can not be an id");
    await expect(notes.get(Promise.resolve(1) as never)).rejects.toThrow("'[object Promise]' can not be an id");
    expect(() => rest('', { timeOut: 5 } as never)).toThrow("rest() has no option 'timeOut'");
    expect(() => createClient(rest(''), { event: 5 } as never)).toThrow("createClient() has no option 'event'");
    expect(() => createClient(rest(''), { authentication: { store: 5 } as never })).toThrow("authentication has no option 'store'");
  });

  it.each(['http://localhost/api', ''])('never leaves the address %j of its server, whatever a path and an id hold', async (base) => {
    const asked: string[] = [];
    const transport = rest(base, {
      fetch: async (input) => {
        asked.push(new URL(String(input), 'http://localhost').href);
        return Response.json([]);
      },
    });
    const get = (path: string, id: string) => createClient(transport).service(path).get(id);
    const below = `http://localhost${base && '/api'}`;
    for (const path of ['../x', 'a/../../x', '.', 'a/./x', '..', 'x/..'])
      await expect(get(path, '1')).rejects.toThrow(/'\.\.?' can not be an id or path/);
    for (const path of ['a\\..\\..\\x', '.\t./x', '%2e%2e/x', '//x', 'x?y=1', 'x#y', '...']) {
      await get(path, '1');
      const [, ...parts] = new URL(asked.pop() ?? '').href.slice(below.length).split('/');
      expect(parts.map(decodeURIComponent)).toEqual([...path.replace('//', '').split('/'), '1']);
    }
    // Without a path of the service, its id is the first part: two slashes would name another server.
    await get('/', 'elsewhere.example');
    expect(asked).toEqual([`${below}/elsewhere.example`]);
  });

  it('refuses to get no record in particular, which would find all', async () => {
    await expect(
      clientOf()
        .service('notes')
        .get(null as never),
    ).rejects.toThrow(new TypeError("'get' needs an id"));
  });

  it.each(['update', 'patch', 'remove'] as const)('refuses a %s without an id, which would be one of all', async (method) => {
    const call: (id: never, data: never) => Promise<unknown> = clientOf().service('notes')[method];
    await expect(call(undefined as never, {} as never)).rejects.toThrow(new TypeError(`'${method}' needs an id`));
  });

  it('refuses a call whose id a hook has taken away, which would be one of all', async () => {
    const notes = clientOf().service('notes');
    notes.hooks({ before: { remove: [(context) => void (context.id = undefined)] } });
    await expect(notes.remove(4711)).rejects.toThrow("'remove' needs an id");
  });

  it('sends no id that a hook has given a call without one, which would get a record', async () => {
    const notes = clientOf().service('skips');
    notes.hooks({ before: { find: [(context) => void (context.id = 4711)] } });
    expect(await notes.find()).toMatchObject({ skip: 0 });
  });

  it('refuses an address that is too long by the name of the limit, and sends nothing', async () => {
    const error = await failureOf(
      clientOf()
        .service('notes')
        .find({ query: { text: { $in: Array.from({ length: 900 }, () => 'long text') } } }),
    );
    expect(error).toMatchObject({ kind: 'url-too-long', code: 414, message: expect.stringContaining("'maxUrl'") });
  });
});

describe('errors of the server', () => {
  it('keep name, status, data, single problems, headers and correlation id', async () => {
    const messages = clientOf().service('messages');
    const missing = await failureOf(messages.get(4711));
    expect(missing).toBeInstanceOf(FrameworkClientError);
    expect(missing).toMatchObject({ kind: 'answer', name: 'NotFound', code: 404, className: 'not-found' });
    expect(missing.response?.status).toBe(404);
    expect(missing.response?.headers.get('content-type')).toContain('application/json');
    const invalid = await failureOf(messages.create({ text: '' }));
    expect(invalid).toMatchObject({ code: 400, errors: [expect.objectContaining({ path: 'text' })] });
    expect(await failureOf(messages.shout({ loud: false }))).toMatchObject({ name: 'Conflict', errors: [{ path: 'loud' }] });
    running.app.service('notes').hooks({ before: { get: [(context) => Promise.reject(new Error(`of ${context.method}`))] } });
    const failed = await failureOf(clientOf().service('notes').get(1));
    expect(failed).toMatchObject({ name: 'GeneralError', code: 500, data: { correlationId: failed.response?.correlationId } });
    expect(failed.response?.correlationId).toEqual(expect.any(String));
  });

  it('are no errors of this server where a server is the client', async () => {
    const error = await failureOf(clientOf().service('messages').get(4711));
    const { toFrameworkError } = await import('@framework/errors');
    expect(toFrameworkError(error).code).toBe(500);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'NotFound', code: 404, message: expect.any(String) });
  });
});

describe('versions', () => {
  it('writes while the record is as it was read, and is refused with 412 otherwise', async () => {
    const [mine, theirs] = [clientOf().service('messages'), clientOf().service('messages')];
    const { id } = await mine.create({ text: 'versioned' });
    const read = await mine.get(id);
    await mine.patch(id, { likes: 1 }, { ifMatch: true });
    await theirs.patch(id, { likes: 2 });
    const refused = await failureOf(mine.patch(id, { likes: 3 }, { ifMatch: true }));
    expect(refused).toMatchObject({ name: 'PreconditionFailed', code: 412 });
    expect(await failureOf(mine.patch(id, { likes: 3 }, { ifMatch: read }))).toMatchObject({ code: 412 });
    const now = await mine.get(id);
    expect(await mine.patch(id, { likes: 4 }, { ifMatch: now })).toMatchObject({ likes: 4 });
  });

  it('does not write without a condition where no version is known', async () => {
    const messages = clientOf().service('messages');
    const { id } = await messages.create({ text: 'unknown' });
    await expect(messages.patch(id, { likes: 1 }, { ifMatch: true })).rejects.toThrow('No version of');
    await expect(messages.patch(id, { likes: 1 }, { ifMatch: {} })).rejects.toThrow('No version of');
    expect(await messages.get(id)).not.toHaveProperty('likes');
  });

  it('says that it sees no ETag, as a page of another origin does not without exposedHeaders', async () => {
    const asPageElsewhere: typeof fetch = async (...args) => {
      const answer = await fetch(...args);
      const headers = new Headers(answer.headers);
      headers.delete('etag');
      return new Response(answer.body, { status: answer.status, headers });
    };
    const messages = createClient<TestApp>(rest(running.url, { fetch: asPageElsewhere })).service('messages');
    const read = await messages.create({ text: 'from elsewhere' });
    await expect(messages.patch(read.id, { likes: 1 }, { ifMatch: read })).rejects.toThrow("rest() has no ETag of a 'conditional' service");
  });
});

describe('pages', () => {
  it('are walked by cursors, by $skip, and once where there are none', async () => {
    const { service } = clientOf();
    for (const path of ['pages', 'skips'] as const) {
      await service(path).create(Array.from({ length: 11 }, (_, place) => ({ place })));
      const places: number[] = [];
      for await (const { place } of records(service(path), { query: { $sort: { place: 1 } } })) places.push(place);
      expect(places).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const sizes: number[] = [];
      for await (const { data, total } of pages(service(path), { query: { $limit: 5, $skip: 2 } })) sizes.push(data.length, total);
      expect(sizes).toEqual([5, 11, 4, 11]);
    }
    const texts: string[] = [];
    for await (const { text } of records(service('messages'), { query: { text: 'versioned' } })) texts.push(text);
    expect(texts).toEqual(['versioned']);
  });

  it('asks for a page only when the one before was taken', async () => {
    const client = clientOf();
    let asked = 0;
    client.hooks({ before: { find: [() => void asked++] } });
    for await (const _ of records(client.service('pages'))) break;
    expect(asked).toBe(1);
  });
});
