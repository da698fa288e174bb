import { MemoryService } from '@framework/adapter-memory';
import { authenticate } from '@framework/authentication';
import { authenticating, describesItself, describing, framework, guard, type HookContext } from '@framework/core';
import { listen, send, type RunningApplication } from '@framework-internal/testing/http';
import { DateSchema, Field, Hidden, Reference, serviceSchema, Type, WriteOnly } from '@framework/schema';
import express, { authenticate as verified, errorHandler, idempotent, rest } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openapi, openapiDocument, type DocumentOptions, type OpenApiDocument } from '../src/index.ts';
import { notesApplication } from './notes-application.ts';

const text = Type.Object({ id: Type.Integer(), text: Type.String() });
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function run<A extends Parameters<typeof listen>[0]>(app: A): Promise<RunningApplication<A>> {
  const running = await listen(app);
  ended.push(running.stop);
  return running;
}

/** The document of an application, with the warnings. */
async function documentOf(app: object, options: DocumentOptions = {}): Promise<{ document: OpenApiDocument; warnings: string[] }> {
  const warnings: string[] = [];
  const document = await openapiDocument(app, { onWarning: (message) => warnings.push(message), ...options });
  return { document, warnings };
}

const operations = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));

describe('the document', () => {
  it('has the same bytes for the same application, in whatever order its services came', async () => {
    const build = async (paths: readonly string[]): Promise<string> => {
      const app = framework();
      for (const path of paths) app.use(path, new MemoryService(), { schema: serviceSchema({ record: text }) });
      return JSON.stringify((await documentOf(app)).document);
    };
    const first = await build(['b', 'a', 'c/:id/d']);
    expect(await build(['b', 'a', 'c/:id/d'])).toBe(first);
    expect(await build(['c/:id/d', 'a', 'b'])).toBe(first);
  });

  it('has what hooks say that they add, once and where they run', async () => {
    const app = framework();
    const tenant = describing(async () => undefined, { headers: { 'X-Tenant': 'Whose notes are meant.' }, errors: [421] });
    class Login extends MemoryService {
      [describesItself](): object {
        return { credentials: { jwt: [] } };
      }
    }
    app.use('notes', new MemoryService()).use('login', new Login(), { methods: ['create'] });
    app.hooks({ around: { all: [idempotent()] } });
    app.service('notes').hooks({ around: { create: [idempotent()] }, before: { find: [tenant] } });
    const { document } = await documentOf(app);
    const at = (path: string, method: string): { headers: unknown; answer: unknown; statuses: string[] } => {
      const { parameters = [], responses } = (document.paths as any)[path][method];
      const headers = parameters.filter((one: any) => one.in === 'header').map((one: any) => one.name);
      const [success] = Object.keys(responses);
      return { headers, answer: Object.keys(responses[success!].headers ?? {}), statuses: Object.keys(responses) };
    };
    expect(at('/notes', 'get')).toEqual({ headers: ['X-Tenant'], answer: [], statuses: expect.arrayContaining(['421']) });
    expect(at('/notes', 'post').headers).toEqual(['Idempotency-Key']);
    const patch = at('/notes/{id}', 'patch');
    expect(patch).toEqual({
      headers: ['Idempotency-Key'],
      answer: ['Idempotency-Replayed'],
      statuses: expect.arrayContaining(['409', '422', '503']),
    });
    expect(at('/notes/{id}', 'get').headers).toEqual([]);
    // A login gives tokens, which are kept nowhere.
    expect(at('/login', 'post').headers).toEqual([]);
  });

  it('has services of mounted applications, and none that transports may not call', async () => {
    const inner = framework();
    inner.use('notes', new MemoryService());
    const app = framework();
    app.use('v1', inner).use('internal', new MemoryService(), { methods: [] }).use('drafts', new MemoryService(), { docs: false });
    const { document } = await documentOf(app);
    expect(operations(document)).toEqual([
      'get /v1/notes',
      'post /v1/notes',
      'get /v1/notes/{id}',
      'put /v1/notes/{id}',
      'patch /v1/notes/{id}',
      'delete /v1/notes/{id}',
    ]);
    expect(JSON.stringify(document)).not.toMatch(/internal|drafts/);
  });

  it('has no method that a hook keeps for the server', async () => {
    const app = framework();
    app.use('notes', new MemoryService()).use('kept', new MemoryService(), { docs: { description: 'Of the server.' } });
    const ofServer = describing(async () => undefined, { serverOnly: true });
    app.service('kept').hooks({ before: { all: [ofServer] } });
    app.service('notes').hooks({ around: { create: [ofServer], patch: [ofServer] } });
    const { document, warnings } = await documentOf(app);
    expect(operations(document)).toEqual(['get /notes', 'get /notes/{id}', 'put /notes/{id}', 'delete /notes/{id}']);
    expect(JSON.stringify([document, warnings])).not.toMatch(/kept|Of the server/);
  });

  it('leaves an operation out, and says what its author says of others', async () => {
    const app = framework();
    app.use('notes', new MemoryService(), {
      schema: serviceSchema({ record: text }),
      docs: {
        tags: ['Texts'],
        operations: { remove: false, get: { summary: 'One', operationId: 'readNote', deprecated: true, tags: ['Old'], errors: [410] } },
      },
    });
    const { document } = await documentOf(app);
    expect(operations(document)).not.toContain('delete /notes/{id}');
    expect(document.paths['/notes/{id}']?.get).toMatchObject({ summary: 'One', operationId: 'readNote', deprecated: true, tags: ['Old'] });
    expect(Object.keys(document.paths['/notes/{id}']?.get?.responses ?? {})).toContain('410');
    expect(document.tags.map(({ name }) => name)).toEqual(['Old', 'Texts']);
  });

  it('tells by a warning, with its path, what a service does not declare', async () => {
    const app = framework();
    app.use('notes', { find: async () => [], archive: async () => ({}) }, { methods: ['find', 'archive'] });
    app.use('texts', new MemoryService());
    const { document, warnings } = await documentOf(app);
    expect(warnings).toEqual([
      expect.stringContaining("The service 'notes' declares no result of 'find'"),
      expect.stringContaining("The service 'notes' declares no data of 'archive'"),
      expect.stringContaining("The service 'notes' declares no result of 'archive'"),
      expect.stringContaining("The service 'texts' declares no schema"),
    ]);
    expect(document.paths['/notes']?.get?.responses['200']).toEqual({
      description: 'The records that match.',
      content: { 'application/json': { schema: {} } },
    });
  });

  it('has the form in which errors are answered for each Accept, also for clients that send none', async () => {
    const app = notesApplication();
    const { url } = await run(app);
    const { document } = await documentOf(app);
    const { responses } = document.components;
    const forms = new Set<string>();
    for (const headers of [{}, { accept: 'application/json' }, { accept: 'application/problem+json' }])
      for (const [path, name] of Object.entries({
        '/notes': 'NotAuthenticated',
        '/users': 'MethodNotAllowed',
        '/notes/1?$x=1': 'AnyError',
      })) {
        // Without the header it asks for any type.
        const answer = await fetch(url + path, { headers });
        const [form = ''] = String(answer.headers.get('content-type')).split(';');
        forms.add(form);
        expect([answer.ok, Object.keys(responses[name]?.content ?? {})]).toEqual([false, expect.arrayContaining([form])]);
      }
    expect([...forms].sort()).toEqual(['application/json', 'application/problem+json', 'text/html']);
  });

  it('takes the words of services that describe themselves', async () => {
    const app = framework();
    const service = {
      get: async (id: string) => ({ id }),
      [describesItself]: () => ({
        text: 'The weather.',
        methods: { get: { summary: 'Of a city', result: { type: 'object' }, errors: [503], query: { unit: { enum: ['C', 'F'] } } } },
      }),
    };
    app.use('weather', service);
    const { document, warnings } = await documentOf(app);
    expect(warnings).toEqual([]);
    expect(document.tags).toEqual([{ name: 'weather', description: 'The weather.' }]);
    const get = document.paths['/weather/{id}']?.get;
    expect([get?.summary, Object.keys(get?.responses ?? {})]).toEqual(['Of a city', ['200', '400', '404', '405', '406', '503', 'default']]);
    expect(get?.parameters?.map((parameter) => 'name' in parameter && parameter.name)).toEqual(['id', 'unit']);
  });

  it('has placeholders of paths, and an id that is none of them', async () => {
    const app = framework();
    app.use('people/:id/notes', new MemoryService(), { schema: serviceSchema({ record: text }) });
    const { document } = await documentOf(app);
    expect(Object.keys(document.paths)).toEqual(['/people/{id}/notes', '/people/{id}/notes/{id_}']);
    expect(document.paths['/people/{id}/notes/{id_}']?.get?.parameters?.slice(0, 2)).toMatchObject([
      { name: 'id' },
      { name: 'id_', schema: { type: 'integer' } },
    ]);
  });

  it('leaves out what is not reached since another service answers', async () => {
    const app = framework();
    app.use('notes', new MemoryService(), { schema: serviceSchema({ record: text }) });
    app.use('notes/:name', { find: async () => [] });
    const { document, warnings } = await documentOf(app);
    expect(Object.keys(document.paths)).toEqual(['/notes', '/notes/{id}']);
    expect(warnings).toContainEqual("The service 'notes/:name', method 'find', is not reached: another service answers /notes/{name}");
  });

  it('does not promise changes of several records where each needs a condition, which they can not have', async () => {
    const app = express(framework()).configure(rest());
    const schema = serviceSchema({ record: text });
    app.use('free', new MemoryService({ version: 'v', multi: true }), { schema, conditional: true });
    app.use('strict', new MemoryService({ version: 'v', multi: true }), { schema, conditional: 'required' });
    app.use(errorHandler({ logger: false }));
    const { document } = await documentOf(app);
    expect(operations(document).filter((one) => !one.includes('{id}'))).toEqual([
      'get /free',
      'post /free',
      'patch /free',
      'delete /free',
      'get /strict',
      'post /strict',
    ]);
    expect(Object.keys(document.paths['/strict/{id}'] ?? {})).toEqual(['get', 'put', 'patch', 'delete']);
    const { url } = await run(app);
    expect((await send(url, '/strict', { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(412);
  });

  it('names operations apart whose paths are one word', async () => {
    const app = framework();
    app.use('a-b', new MemoryService()).use('a/b', new MemoryService());
    const { document } = await documentOf(app);
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(12);
  });

  it('shares schemas by their $id, and follows those that hold themselves', async () => {
    const Address = Type.Object({ street: Type.String() }, { $id: 'Address' });
    const tree = Type.Recursive((This) => Type.Object({ id: Type.Integer(), name: Type.String(), children: Type.Array(This) }), {
      $id: 'Tree',
    });
    const home = {
      type: 'object',
      properties: { id: { type: 'integer' }, home: { $ref: 'Address' } },
      required: ['id'],
      $defs: { Address },
    };
    const app = framework();
    app.use('a', new MemoryService(), { schema: serviceSchema({ record: home }) });
    app.use('b', new MemoryService(), { schema: serviceSchema({ record: { ...home, $defs: { Address } } }) });
    app.use('trees', new MemoryService(), { schema: serviceSchema({ record: tree }) });
    const { document } = await documentOf(app);
    const { schemas } = document.components;
    expect(schemas).toMatchObject({
      Address: { type: 'object', properties: { street: { type: 'string' } } },
      A: { properties: { home: { $ref: '#/components/schemas/Address' } } },
    });
    expect(JSON.stringify(document)).not.toContain('$defs');
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(Object.keys(schemas)).toContain(name);
  });

  it('writes older words of JSON Schema anew', async () => {
    const record = {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        tuple: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        named: { $ref: '#/definitions/Name' },
        maybe: { type: 'string', nullable: true },
        at: { date: true },
      },
      definitions: { Name: { type: 'string', minLength: 1 } },
    };
    const app = framework();
    app.use('old', new MemoryService(), { schema: serviceSchema({ record }) });
    const { Old, Name } = (await documentOf(app)).document.components.schemas as any;
    expect(Old.properties).toEqual({
      id: { type: 'integer' },
      tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      named: { $ref: '#/components/schemas/Name' },
      maybe: { type: ['string', 'null'] },
      at: { type: 'string', format: 'date-time' },
    });
    expect(Name).toEqual({ type: 'string', minLength: 1 });
  });

  it('S7 names no definition as something that is hidden', async () => {
    const record = {
      type: 'object',
      properties: { id: { type: 'integer' }, text: { $ref: '#/$defs/purchasePrice' }, purchasePrice: { type: 'number', hidden: true } },
      $defs: { purchasePrice: { type: 'string', minLength: 1 } },
    };
    const app = framework();
    app.use('products', new MemoryService(), { schema: serviceSchema({ record }) });
    const text = JSON.stringify((await documentOf(app)).document);
    expect(text).toContain('"minLength":1');
    expect(text).not.toContain('purchasePrice');
  });

  it('shows a viewer what rules by role let them see', async () => {
    const isAdmin = ({ user }: { user?: { role?: string } }): boolean => user?.role === 'admin';
    const record = Type.Object({ id: Type.Integer(), margin: Field(Type.Number(), { readable: isAdmin as never }) });
    const app = framework();
    app.use('sales', new MemoryService(), { schema: serviceSchema({ record }) });
    expect(JSON.stringify((await documentOf(app)).document)).not.toContain('margin');
    const { document } = await documentOf(app, { viewer: { user: { role: 'admin' } } });
    expect(document.components.schemas.Sales).toMatchObject({ properties: { margin: { type: 'number' } }, required: ['id', 'margin'] });
  });

  it('names relations to services that are shown, and to no others', async () => {
    const record = Type.Object({
      id: Type.Integer(),
      authorId: Reference('users', { as: 'author', id: Type.Integer() }),
      draftId: Reference('drafts', { as: 'draft', id: Type.Integer() }),
    });
    const app = framework();
    app.use('users', new MemoryService(), { schema: serviceSchema({ record: text }) });
    app.use('drafts', new MemoryService(), { schema: serviceSchema({ record: text }), methods: [] });
    app.use('posts', new MemoryService(), { schema: serviceSchema({ record }) });
    const { document } = await documentOf(app);
    expect(document.components.schemas.Posts).toMatchObject({
      properties: { author: { anyOf: [{ $ref: '#/components/schemas/Users' }, { type: 'null' }] } },
    });
    expect(JSON.stringify(document)).not.toMatch(/drafts|"draft"/);
  });

  it('lets clients select and populate what the service takes, and no more of it', async () => {
    const names = (document: OpenApiDocument, name: string): unknown => {
      const given = document.paths['/posts']?.get?.parameters?.find((parameter) => 'name' in parameter && parameter.name === name);
      return given && 'schema' in given ? given.schema : undefined;
    };
    const record = Type.Object({
      id: Type.Integer(),
      authorId: Reference('users', { as: 'au(thor', id: Type.Integer() }),
      text: Type.String(),
    });
    const app = framework();
    app.use('users', new MemoryService(), { schema: serviceSchema({ record: text }) });
    app.use('posts', new MemoryService(), { schema: serviceSchema({ record }) });
    const { document } = await documentOf(app);
    expect(names(document, '$select')).toMatchObject({ items: { enum: expect.any(Array) }, maxItems: 3, uniqueItems: true });
    const populate = names(document, '$populate') as {
      readonly maxItems: number;
      readonly items: { readonly anyOf: [unknown, { readonly pattern: string }] };
    };
    expect(populate.maxItems).toBe(20);
    const [first, { pattern }] = populate.items.anyOf;
    expect(first).toEqual({ type: 'string', enum: ['au(thor'] });
    const fits = (value: string): boolean => new RegExp(pattern, 'u').test(value);
    expect(['au(thor.company', 'au(thor.a.b'].every(fits)).toBe(true);
    expect(['', 'author', 'xau(thor.a', 'au(thor', 'au(thor.', 'au(thor..a'].some(fits)).toBe(false);
    const bare = await documentOf(framework().use('posts', new MemoryService()));
    expect(names(bare.document, '$select')).toMatchObject({ items: { type: 'string' }, maxItems: 20, uniqueItems: true });
  });

  it('leaves an example out that tells what is kept from callers, and says so', async () => {
    const record = Type.Object({
      id: Type.Integer(),
      email: Type.String(),
      password: WriteOnly(Type.String()),
      profile: Type.Optional(Type.Object({ city: Type.String(), score: Hidden(Type.Integer()) })),
      token: Type.Optional(Hidden(Type.String())),
    });
    const email = 'ann@example.com';
    const build = (create: unknown, patch: unknown) => {
      const app = framework();
      const docs = { operations: { create: { example: create }, patch: { example: patch } } };
      return documentOf(app.use('users', new MemoryService({ multi: true }), { schema: serviceSchema({ record }), docs }));
    };
    const whole = { email, password: 'correct horse' };
    const { document, warnings } = await build([whole, { ...whole, token: 'tk_live_1' }], { profile: { city: 'Rome', score: 4711 } });
    expect(JSON.stringify(document)).not.toMatch(/token|tk_live|score|4711/);
    const ending = "which callers can not set: it is left out. Take that out of it in its option 'docs'";
    expect(warnings).toEqual([
      `The service 'users' has an example of 'create' with 'token', ${ending}`,
      `The service 'users' has an example of 'patch' with 'profile.score', ${ending}`,
    ]);
    const right = await build([whole], { profile: { city: 'Rome' } });
    expect(right.warnings).toEqual([]);
    const exampleAt = (at: string, verb: 'post' | 'patch'): unknown =>
      right.document.paths[at]?.[verb]?.requestBody?.content['application/json']?.example;
    expect([exampleAt('/users', 'post'), exampleAt('/users/{id}', 'patch')]).toEqual([[whole], { profile: { city: 'Rome' } }]);
  });

  it('says of methods that share a path what each takes and gives, also where that is nothing', async () => {
    class Items extends MemoryService {
      async grow(data: object): Promise<object> {
        return data;
      }
      async shrink(data: object): Promise<object> {
        return data;
      }
      async forget(): Promise<void> {
        return undefined;
      }
      async tidy(): Promise<void> {
        return undefined;
      }
    }
    const amount = Type.Object({ amount: Type.Integer() });
    const reason = Type.Object({ amount: Type.Integer(), reason: Type.Optional(Type.String()) });
    const operations = { grow: { data: amount, result: amount }, shrink: { data: reason, result: amount } };
    const marked = describing(
      async () => undefined,
      ({ method }) => (method === 'grow' ? { answerHeaders: { 'X-Grown': 'By how much.' } } : undefined),
    );
    const app = framework();
    app.use('items', new Items(), {
      schema: serviceSchema({ record: text }),
      methods: ['find', 'create', 'grow', 'shrink', 'forget', 'tidy'],
      docs: { operations },
    });
    app.service('items').hooks({ before: { all: [marked] } });
    app.use('jobs', new Items(), { methods: ['shrink', 'grow'], docs: { operations } });
    app.service('jobs').hooks({ before: { all: [marked] } });
    const { document } = await documentOf(app);
    const { requestBody, responses } = document.paths['/items']?.post ?? {};
    expect(responses?.['204']).toEqual({ description: 'Done; there is nothing to tell.' });
    // A body that is right for several is right.
    expect(requestBody).toMatchObject({
      required: false,
      content: {
        'application/json': {
          schema: { anyOf: [{ $ref: '#/components/schemas/ItemsData' }, { required: ['amount'] }, { required: ['amount'] }, {}] },
          examples: { create: { value: { text: 'text' } }, grow: { value: { amount: 1 } } },
        },
      },
    });
    expect(document.paths['/jobs']?.post).toMatchObject({
      requestBody: { required: true, content: { 'application/json': { schema: { anyOf: [{}, {}] } } } },
      responses: { 200: { headers: { 'X-Grown': {} }, content: { 'application/json': { schema: { required: ['amount'] } } } } },
    });
    expect(JSON.stringify(document)).not.toMatch(/"(?:anyOf|oneOf)":\[\]/);
  });

  it('has dates as texts, in records, data and queries', async () => {
    const app = framework();
    app.use('days', new MemoryService(), { schema: serviceSchema({ record: Type.Object({ id: Type.Integer(), at: DateSchema() }) }) });
    const { document } = await documentOf(app);
    const date = { type: 'string', format: 'date-time' };
    expect(document.components.schemas).toMatchObject({ Days: { properties: { at: date } }, DaysData: { properties: { at: date } } });
    const at = document.paths['/days']?.get?.parameters?.find((parameter) => 'name' in parameter && parameter.name === 'at');
    expect(at).toMatchObject({ style: 'deepObject', schema: { anyOf: [date, { properties: { $gt: date } }] } });
  });

  it('has the whole query as one parameter in OpenAPI 3.2, and events as items', async () => {
    const app = express(framework());
    app.configure(rest()).configure(sse());
    app.use('notes', new MemoryService({ paginate: { default: 5, max: 5 } }), { schema: serviceSchema({ record: text }) });
    const { document } = await documentOf(app, { version: '3.2' });
    expect(document.openapi).toBe('3.2.0');
    expect(document.paths['/notes']?.get?.parameters).toEqual([
      {
        name: 'query',
        in: 'querystring',
        content: {
          'application/x-www-form-urlencoded': expect.objectContaining({
            encoding: expect.objectContaining({ text: { style: 'deepObject', explode: true } }),
          }),
        },
      },
    ]);
    expect(document.components.schemas.NotesConditions).toMatchObject({
      properties: { $or: { type: 'array', items: { $ref: '#/components/schemas/NotesConditions' } } },
    });
    expect(document.paths['/events']?.get?.responses['200']).toMatchObject({
      content: { 'text/event-stream': { itemSchema: { type: 'object' } } },
    });
    expect((await documentOf(app)).document.paths['/events']?.get?.responses['200']).toMatchObject({
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    });
  });
});

describe('credentials in the document', () => {
  const pass = async (_context: HookContext, next: () => Promise<void>): Promise<void> => next();

  it('are those that the hooks of each method ask for', async () => {
    const app = notesApplication();
    await app.setup();
    const { document, warnings } = await documentOf(app);
    expect(warnings).toEqual([]);
    expect(document.paths['/users']?.post?.security).toEqual([]);
    expect(document.paths['/notes']?.get?.security).toEqual([{ jwt: [] }]);
    expect(document.components.securitySchemes).toEqual({ jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } });
    expect(document.paths['/authentication']?.post?.requestBody?.content['application/json']?.example).toEqual({
      strategy: 'local',
      email: 'text',
      password: 'correct horse battery staple',
    });
  });

  it('are left out, with a note and a warning, for a guard that does not say', async () => {
    const app = notesApplication();
    app.use('files', new MemoryService(), { schema: serviceSchema({ record: text }) });
    app.service('files').hooks({
      around: {
        find: [
          guard(async function membersOnly(_context: HookContext, next: () => Promise<void>) {
            await next();
          }),
        ],
      },
    } as never);
    const { document, warnings } = await documentOf(app);
    expect(document.paths['/files']?.get).not.toHaveProperty('security');
    expect(document.paths['/files']?.get?.description).toContain('The server decides who may call this.');
    expect(warnings).toEqual([
      expect.stringContaining("The service 'files', method 'find', is guarded by 'membersOnly', which does not say"),
    ]);
    expect(JSON.stringify(document)).not.toContain('membersOnly');
  });

  it('follow a hook that asks for them in some methods only, by the path in its own application', async () => {
    const inner = framework();
    inner.use('notes', new MemoryService(), { schema: serviceSchema({ record: text }) });
    const app = notesApplication();
    app.use('v1', inner as never);
    const needs = ({ path, method }: { path: string; method: string }) =>
      path === 'v1/notes' && method === 'create' ? { strategies: ['jwt'] } : undefined;
    app.hooks({ around: { all: [authenticating(guard(pass), needs)] } } as never);
    const { document } = await documentOf(app);
    expect([document.paths['/v1/notes']?.get?.security, document.paths['/v1/notes']?.post?.security]).toEqual([[], [{ jwt: [] }]]);
  });

  it('are those of the application that a service is of, where each has a default of its own', async () => {
    const strategies = (name: string): object =>
      Object.defineProperty({ create: async () => ({}) }, describesItself, {
        value: () => ({ isDefault: true, credentials: { jwt: [{ type: 'apiKey', in: 'header', name }] } }),
      });
    const register = (to: ReturnType<typeof framework>, paths: readonly string[]): void => {
      for (const path of paths) {
        const service = path === 'named' ? { service: 'authentication' } : {};
        to.use(path, new MemoryService(), { methods: ['find'] });
        to.service(path).hooks({ around: { find: [authenticating(guard(pass), () => ({ strategies: ['jwt'], ...service }))] } } as never);
      }
    };
    const [inner, outer] = [framework(), framework()];
    inner.use('authentication', strategies('X-Inner'));
    register(inner, ['notes', 'named']);
    outer.use('v1', inner as never);
    outer.use('authentication', strategies('X-Outer'));
    register(outer, ['notes', 'named', 'authentication/keys']);
    const { document } = await documentOf(outer);
    const { securitySchemes } = document.components;
    const headerAt = (path: string): unknown => {
      const [name = ''] = Object.keys(document.paths[path]?.get?.security?.[0] ?? {});
      return Reflect.get(securitySchemes?.[name] ?? {}, 'name');
    };
    expect(['/notes', '/named', '/authentication/keys'].map(headerAt)).toEqual(['X-Outer', 'X-Outer', 'X-Outer']);
    expect(['/v1/notes', '/v1/named'].map(headerAt)).toEqual(['X-Inner', 'X-Inner']);
  });

  it('are those of the middleware that stands beside a service, too', async () => {
    const app = notesApplication();
    const service = { find: async () => [], create: async (data: object) => data };
    const own = authenticating(
      (_req: unknown, _res: unknown, next: () => void) => {
        next();
      },
      ({ method }) => (method === 'find' ? undefined : { strategies: ['local'] }),
    );
    app.use('files', verified('jwt'), service);
    app.use('texts', [own], { ...service }, verified('jwt'));
    const { document } = await documentOf(app);
    const securityAt = (path: string) => Object.values(document.paths[path] ?? {}).map(({ security }) => security);
    expect(securityAt('/files')).toEqual([[{ jwt: [] }], [{ jwt: [] }]]);
    expect(Object.keys(document.paths['/files']?.get?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403']));
    expect(document.paths['/texts']?.get?.security).toEqual([]);
    expect(document.paths['/texts']?.post).not.toHaveProperty('security');
    const { url } = await run(app);
    expect((await send(url, '/files')).status).toBe(401);
  });

  it('of strategies that do not say how they travel are not guessed', async () => {
    const app = notesApplication();
    app.service('users').hooks({ before: { create: [authenticate('passkey')] } } as never);
    const { document, warnings } = await documentOf(app);
    expect(document.paths['/users']?.post).not.toHaveProperty('security');
    expect(warnings).toEqual([expect.stringContaining('asks for credentials of passkey, which do not say how they travel')]);
  });
});

describe('the service of the document', () => {
  it('has a tag that clients may ask about, until services or hooks come or go', async () => {
    const app = express(framework());
    app.configure(rest()).configure(openapi());
    app.use('notes', new MemoryService(), { schema: serviceSchema({ record: text }) });
    app.use(errorHandler());
    const { url } = await run(app);
    const first = await send(url, '/openapi.json');
    const tag = String(first.headers.etag);
    expect((await send(url, '/openapi.json', { headers: { 'if-none-match': tag } })).status).toBe(304);
    app.use('texts', new MemoryService(), { schema: serviceSchema({ record: text }) });
    const second = await send(url, '/openapi.json', { headers: { 'if-none-match': tag } });
    expect([second.status, '/texts' in second.body.paths]).toEqual([200, true]);
    app.service('texts').hooks({ before: { find: [guard(async () => undefined)] } } as never);
    expect((await send(url, '/openapi.json')).body.paths['/texts'].get).not.toHaveProperty('security');
    await app.unuse('texts');
    expect((await send(url, '/openapi.json')).headers.etag).toBe(tag);
  });

  it('is another one for each call: what hooks change in it nobody else gets', async () => {
    const app = express(framework());
    app.configure(rest()).configure(openapi());
    const greet = ({ params, result }: HookContext): unknown =>
      Object.assign((result as OpenApiDocument).info, { summary: `For ${params.headers?.['x-name'] ?? 'all'}` });
    app.service('openapi.json').hooks({ after: { find: [(context: HookContext) => void greet(context)] } } as never);
    const { url } = await run(app);
    const ask = async (name?: string): Promise<unknown> =>
      (await send(url, '/openapi.json', { headers: name === undefined ? {} : { 'x-name': name } })).body.info;
    expect([await ask('Ann'), await ask()]).toMatchObject([{ summary: 'For Ann' }, { summary: 'For all' }]);
    expect((await openapiDocument(app)).info).not.toHaveProperty('summary');
  });

  it('is behind the hooks of the application', async () => {
    const app = notesApplication();
    app.service('openapi.json').hooks({ before: { find: [authenticate('jwt')] } } as never);
    const { url } = await run(app);
    expect((await send(url, '/openapi.json')).status).toBe(401);
  });

  it('gives what openapiDocument gives', async () => {
    const app = notesApplication({ path: 'docs/api.json', version: '3.2', servers: [{ url: 'https://api.example.com' }] });
    const { url } = await run(app);
    const { body } = await send(url, '/docs/api.json');
    expect([body.openapi, body.servers]).toEqual(['3.2.0', [{ url: 'https://api.example.com' }]]);
    expect(JSON.parse(JSON.stringify(await openapiDocument(app)))).toEqual(body);
  });
});
