import { describe, expect, it } from '@jest/globals';
import { changed } from './application.ts';

describe('idioms', () => {
  it('ServiceInterface is Partial<ServiceMethods>, without the type of patches', () => {
    const before = `import type { ServiceInterface } from '@feathersjs/feathers'\nclass A implements ServiceInterface<\n  B,\n  C,\n  P,\n  D\n> {}\nlet x: ServiceInterface`;
    const after = `import type { ServiceMethods } from '@framework/core'\nclass A implements Partial<ServiceMethods<\n  B,\n  C,\n  P\n>> {}\nlet x: Partial<ServiceMethods>`;
    expect(changed(before).text).toBe(after);
  });

  it('types that take fewer arguments here have no more, and those of other packages keep theirs', () => {
    const before = `import type { MemoryServiceOptions } from '@feathersjs/memory'
import type { ServiceMethods, ServiceMixin as Mixin, Paginated } from '@feathersjs/feathers'
import type { Validator } from '@feathersjs/schema'
import type { ServiceOptions } from 'elsewhere'
const options: MemoryServiceOptions<User> = {}
class A implements ServiceMethods<User, Data, P, Patch> {}
type B = [Mixin<App>, Validator<User, User>, Validator<User>, Paginated<User>, ServiceOptions<User>]`;
    const { text, left, blockers } = changed(before);
    expect({ last: text.split('\n').slice(-3), left, blockers }).toEqual({
      last: [
        `const options: MemoryServiceOptions = {}`,
        `class A implements ServiceMethods<User, Data, P> {}`,
        `type B = [Mixin, Validator<User>, Validator<User>, Paginated<User>, ServiceOptions<User>]`,
      ],
      left: [],
      blockers: [],
    });
  });

  it.each([
    [
      `import type { Service } from '@feathersjs/feathers'\nclass A implements Service<B, C, P, D> {}\nlet s: Service<B>`,
      `import type { ServiceMethods } from '@framework/core'\nclass A implements ServiceMethods<B, C, P> {}\nlet s: ServiceMethods<B>`,
    ],
    [
      `import type { ApplicationHookOptions, HookOptions } from '@feathersjs/feathers'\nlet a: ApplicationHookOptions<App>, b: HookOptions<App, S>`,
      `import type { ApplicationHookMap, HookMap } from '@framework/core'\nlet a: ApplicationHookMap<App>, b: HookMap<App, S>`,
    ],
    [
      `import type { ApplicationHookMap } from '@feathersjs/feathers'\nlet a: ApplicationHookMap<App>`,
      `import type { LifecycleHookMap } from '@framework/core'\nlet a: LifecycleHookMap<App>`,
    ],
    [
      `import type { ApplicationHookMap, ApplicationHookOptions } from '@feathersjs/feathers'\nlet a: ApplicationHookMap<App>, b: ApplicationHookOptions<App>`,
      `import type { LifecycleHookMap, ApplicationHookMap as ApplicationHookOptions } from '@framework/core'\nlet a: LifecycleHookMap<App>, b: ApplicationHookOptions<App>`,
    ],
    [
      `import type { AdapterParams } from '@feathersjs/adapter-commons'\nlet a: AdapterParams<Query>, b: AdapterParams`,
      `import type { AdapterParams } from '@framework/core'\nlet a: AdapterParams, b: AdapterParams`,
    ],
  ])('types have other names, and as many arguments as here: %s', (before, after) => {
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    [
      `import type { ServiceInterface } from '@feathersjs/feathers'\nimport { FeathersError } from '@feathersjs/errors'\nclass A implements ServiceInterface<B, C, P, Partial<FeathersError>> {}`,
      `class A implements Partial<ServiceMethods<B, C, P>> {}`,
    ],
    [
      `import type { ServiceInterface } from '@feathersjs/feathers'\ntype X = ServiceInterface<ServiceInterface<A, B, C, D>, B, C, ServiceInterface<A>>`,
      `type X = Partial<ServiceMethods<Partial<ServiceMethods<A, B, C>>, B, C>>`,
    ],
    [
      `import { addFormats } from '@feathersjs/schema'\nimport { FeathersError } from '@feathersjs/errors'\naddFormats(ajv, [FeathersError.name, '@feathersjs/errors'])`,
      `addFormats(ajv)`,
    ],
  ])('what goes is not changed besides: %s', (before, last) => {
    const { text, left, blockers } = changed(before);
    expect({ last: text.split('\n').at(-1), left, blockers }).toEqual({ last, left: [], blockers: [] });
  });

  it('addFormats takes all formats, and their list goes when nothing else uses it', () => {
    const before = `import { Ajv, addFormats } from '@feathersjs/schema'\nimport type { FormatsPluginOptions } from '@feathersjs/schema'\n\nconst formats: FormatsPluginOptions = ['date']\n\nexport const a = addFormats(new Ajv({}), formats)\nexport const b = addFormats(\n  new Ajv({\n    coerceTypes: true\n  }),\n  formats\n)\n`;
    const after = `import { Ajv, addFormats } from '@framework/schema'\n\nexport const a = addFormats(new Ajv({}))\nexport const b = addFormats(\n  new Ajv({\n    coerceTypes: true\n  })\n)\n`;
    expect(changed(before).text).toBe(after);
    expect(changed(`${before}console.log(formats)`).text).toContain(`const formats = ['date']\n`);
  });

  it('a list of formats stays where something else uses it, and so do options, which are left', () => {
    const start = `import { Ajv, addFormats } from '@feathersjs/schema'\nconst formats = ['date']\naddFormats(ajv, formats)\n`;
    const used = `import { Ajv, addFormats } from '@framework/schema'\nconst formats = ['date']\naddFormats(ajv)\nother(ajv, formats)`;
    expect(changed(`${start}other(ajv, formats)`)).toEqual({ text: used, left: [], blockers: [] });
    const options = `import { addFormats } from '@feathersjs/schema'\naddFormats(ajv, { mode: 'fast', keywords: true })`;
    expect(changed(options)).toEqual({
      text: options.replace('@feathersjs', '@framework'),
      left: [expect.stringMatching(/^2: addFormats\(\) takes no options here/)],
      blockers: [],
    });
  });

  it('members of requests, params and services have other names', () => {
    const before = `import { Id } from '@feathersjs/feathers'\nreq.feathers.user = 1; context.params.mongodb = {}; this.makeFeathersPipeline(params); const p = [{ $feathers: {} }]; socket.feathers.a = 1`;
    const after = `import { Id } from '@framework/core'\nreq.framework.user = 1; context.params.docdb = {}; this.makeFrameworkPipeline(params); const p = [{ $framework: {} }]; socket.feathers.a = 1`;
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    [
      `import { memory } from '@feathersjs/memory'\napp.use('a', memory<A>({ multi: true }))\nmemory().find()`,
      `import { MemoryService } from '@framework/adapter-memory'\napp.use('a', new MemoryService<A>({ multi: true }))\nnew MemoryService().find()`,
    ],
    [
      `import { memory, MemoryService } from '@feathersjs/memory'\nlet a: MemoryService = memory({})`,
      `import { MemoryService as memory, MemoryService } from '@framework/adapter-memory'\nlet a: MemoryService = new memory({})`,
    ],
    [
      `import { memory, MemoryService } from '@feathersjs/memory'\nmemory()`,
      `import { MemoryService as memory, MemoryService } from '@framework/adapter-memory'\nnew memory()`,
    ],
    [
      `const { memory } = require('@feathersjs/memory')\napp.use('a', memory())`,
      `const { MemoryService: memory } = require('@framework/adapter-memory')\napp.use('a', new memory())`,
    ],
  ])('services in memory are made by new: %s', (before, after) => {
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it('a function that makes services in memory is left where it is passed on, and stops the whole where it has no name', () => {
    const passed = `import { memory } from '@feathersjs/memory'\nconst make = memory\nuse(memory)`;
    expect(changed(passed).left).toEqual([
      expect.stringMatching(/^2: memory is the class/),
      expect.stringMatching(/^3: memory is the class/),
    ]);
    for (const source of [`export { memory } from '@feathersjs/memory'`, `require('@feathersjs/memory').memory()`])
      expect(changed(source).blockers).toHaveLength(1);
  });

  it('operators that a schema adds are left for the service to name', () => {
    const before = `import { querySyntax, queryProperty, Type } from '@feathersjs/typebox'\nquerySyntax(a)\nquerySyntax(a, {})\nquerySyntax(a, { text: { $regex: Type.String(), '$options': Type.String() } })\nqueryProperty(a, { $regex: b })\nother(a, { $regex: b })`;
    expect(changed(before).left).toEqual([
      expect.stringMatching(/^4: .*operators: \['\$regex', '\$options'\]/),
      expect.stringMatching(/^5: .*operators: \['\$regex'\]/),
    ]);
  });

  it.each([
    [`const { mongodb } = context.params`, `const { docdb: mongodb } = context.params`],
    [`const { mongodb: { session } } = params`, `const { docdb: { session } } = params`],
    [`const { feathers } = req`, `const { framework: feathers } = req`],
    [`const p = [{ '$feathers': {} }, { "$feathers": {} }]`, `const p = [{ '$framework': {} }, { "$framework": {} }]`],
    [`req['feathers'].user = params["mongodb"]`, `req['framework'].user = params["docdb"]`],
    [`config = { mongodb: 'mongodb://127.0.0.1/app' }`, `config = { mongodb: 'mongodb://127.0.0.1/app' }`],
    [
      `const { Ajv, addFormats } = require('@feathersjs/schema')\nconst v = addFormats(new Ajv({}), ['date'])`,
      `const { Ajv, addFormats } = require('@framework/schema')\nconst v = addFormats(new Ajv({}))`,
    ],
  ])('%s', (before, after) => {
    expect(changed(before, 'src/a.cjs')).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    [`context.params!.mongodb = (params as P).mongodb`, `context.params!.docdb = (params as P).docdb`],
    [`const { mongodb } = context.params as P`, `const { docdb: mongodb } = context.params as P`],
    [`(<P>context.params!)?.mongodb`, `(<P>context.params!)?.docdb`],
  ])('with types: %s', (before, after) => {
    expect(changed(before, 'src/a.ts')).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([[`f({ params: { mongodb } })`], [`const p = params\np.mongodb = {}`], [`find({ ...params, mongodb: options })`]])(
    'options of the driver are never passed over without a word: %s',
    (source) => {
      expect(changed(source, 'src/a.cjs')).toMatchObject({
        text: source,
        left: [expect.stringMatching(/mongodb.*: the same in params is 'docdb' here|of params it is 'docdb' here/)],
      });
    },
  );

  it.each([[`f({ params: { mongodb } })`], [`function f({ params: { mongodb } }) {}`], [`function f({ feathers }) {}`]])(
    'what may be something else is left: %s',
    (source) => {
      expect(changed(source, 'src/a.cjs')).toMatchObject({ text: source, left: [expect.stringMatching(/^1: /)] });
    },
  );

  it.each([
    [`import { errors } from '@feathersjs/errors'\nif (e instanceof errors.FeathersError) throw new errors.NotFound()`],
    [`const { errors: all } = require('@feathersjs/errors')\nif (e instanceof all.FeathersError) throw new all.NotFound()`],
  ])('a class that the table of errors does not have is told: %s', (source) => {
    expect(changed(source, 'src/a.cjs')).toMatchObject({
      left: [expect.stringMatching(/^2: .*FrameworkError of @framework\/errors/)],
      blockers: [],
    });
  });

  it('members of other things that are called so are left in silence', () => {
    expect(
      changed(`import { errors } from './errors.js'\nimport { BadRequest } from '@feathersjs/errors'\nerrors.FeathersError`).left,
    ).toEqual([]);
  });

  it('what may be something else is left, with its line', () => {
    const { left } = changed(
      `import { Id } from '@feathersjs/feathers'\nctx.feathers.a\napp._isSetup\nif (error.type === 'FeathersError') find({ mongodb: {} })`,
    );
    expect(left).toEqual([
      expect.stringMatching(/^2: ctx\.feathers/),
      expect.stringMatching(/^3: _isSetup/),
      expect.stringMatching(/^4: The type of errors/),
      expect.stringMatching(/^4: 'mongodb'/),
    ]);
  });
});

describe('a class that changes what its adapter does inside', () => {
  it.each([
    [
      `import { MongoDBService } from '@feathersjs/mongodb'\nclass Tenants extends MongoDBService<A> {\n  filterQuery(id: any, params: any) { return super.filterQuery(id, params) }\n}`,
      /^3: filterQuery\(\) of an adapter is not called here/,
    ],
    [
      `const { MemoryService } = require('@feathersjs/memory')\nexports.A = class extends MemoryService { sanitizeQuery = async (params) => params.query }`,
      /^2: sanitizeQuery\(\)/,
    ],
  ])('is not changed before a person did: %j', (source, blocker) => {
    expect(changed(source, source.startsWith('const') ? 'src/a.cjs' : 'src/a.ts').blockers).toEqual([expect.stringMatching(blocker)]);
  });

  it.each([
    `import { MongoDBService } from '@feathersjs/mongodb'\nclass A extends MongoDBService { async find(params) { return super.find(params) } }`,
    `import { Base } from './base.js'\nimport { Id } from '@feathersjs/feathers'\nclass A extends Base { filterQuery() {} }`,
  ])('is changed where it is about other methods: %j', (source) => {
    expect(changed(source, 'src/a.ts').blockers).toEqual([]);
  });
});

describe('what stands before authenticate', () => {
  const FROM = `import { authenticate } from '@feathersjs/authentication'\n`;
  it.each([
    [
      `${FROM}export default { before: { all: [allowAnonymous(), authenticate('jwt', 'anonymous')] } }`,
      /^2: authenticate\(\) runs before allowAnonymous\(\) here/,
    ],
    [
      `const { authenticate } = require('@feathersjs/authentication').hooks\nx.hooks({ 'before': [a, authenticate('jwt')] })`,
      /^2: .* before a here/,
    ],
    [
      `import { hooks } from '@feathersjs/authentication'\nx.hooks({ before: { get: [\n  (context) => { context.params.authenticated = isInner(context) },\n  hooks.authenticate('jwt')] } })`,
      /^3: .* before \(context\) => \{ context\.params\.authentica…/,
    ],
  ])('is left for a person in %j', (source, remark) => {
    expect(changed(source, 'src/a.js').left).toContainEqual(expect.stringMatching(remark));
  });

  it.each([
    `${FROM}export default { around: { all: [allowAnonymous(), authenticate('jwt', 'anonymous')] } }`,
    `${FROM}export default { before: { all: [authenticate('jwt'), setOwner()], get: [] } }`,
    `${FROM}const hooks = [a, authenticate('jwt')]`,
    `import { authenticate } from '@feathersjs/express'\nexport default { before: [a, authenticate('jwt')] }`,
  ])('stays where the order is the same in %j', (source) => {
    expect(changed(source, 'src/a.js').left).toEqual([]);
  });
});

const KOA = `import { feathers } from '@feathersjs/feathers'
import { koa, rest, bodyParser, errorHandler, parseAuthentication, cors, serveStatic } from '@feathersjs/koa'

const app = koa(feathers())
// Set up middleware
app.use(cors())
app.use(serveStatic(app.get('public')))
app.use(errorHandler())
app.use(parseAuthentication())
app.use(bodyParser())
app.configure(rest())
app.use('messages', new Messages())

app.hooks({})
`;

describe('Koa', () => {
  it('as the generator writes it becomes Express', () => {
    expect(changed(KOA)).toEqual({
      text: `import { framework } from '@framework/core'
import express, { rest, cors, serveStatic, json, urlencoded, notFound, errorHandler } from '@framework/transport-express'

const app = express(framework())
// Set up middleware
app.use(cors())
app.use(serveStatic(app.get('public')))
app.use(json({ limit: '1mb' }))
app.use(urlencoded({ extended: true }))
app.configure(rest())
app.use('messages', new Messages())

// What nothing has answered, and errors
app.use(notFound())
app.use(errorHandler())

app.hooks({})
`,
      left: [],
      blockers: [],
    });
  });

  it('is found in a function that makes it, and under another name', () => {
    const made = `import { feathers } from '@feathersjs/feathers'
import { koa, rest, bodyParser, errorHandler } from '@feathersjs/koa'
export function createApp() {
  const server = koa(feathers())
  server.use(errorHandler())
  server.use(bodyParser())
  server.configure(rest()).configure(services)
  return server
}
`;
    expect(changed(made)).toEqual({
      text: `import { framework } from '@framework/core'
import express, { rest, json, urlencoded, notFound, errorHandler } from '@framework/transport-express'
export function createApp() {
  const server = express(framework())
  server.use(json({ limit: '1mb' }))
  server.use(urlencoded({ extended: true }))
  server.configure(rest()).configure(services)

  // What nothing has answered, and errors
  server.use(notFound())
  server.use(errorHandler())
  return server
}
`,
      left: [],
      blockers: [],
    });
  });

  it.each([
    ['const app = koa(feathers()).configure(rest())\n', 'app.use(notFound())'],
    ['const app = koa(feathers())\napp.configure(rest()).use("notes", {})\nrun(app)\n', 'app.use(notFound())'],
    ['class A { constructor() {\n  this.app = koa(feathers())\n  this.app.configure(rest())\n} }\n', '  this.app.use(notFound())'],
  ])('answers errors behind all that sets it up, in whatever way that is written: %j', (source, answers) => {
    const { text, blockers } = changed(
      `import { feathers } from '@feathersjs/feathers'\nimport { koa, rest } from '@feathersjs/koa'\n${source}`,
    );
    expect(blockers).toEqual([]);
    const lines = text.split('\n');
    const set = lines.findLastIndex((line) => line.includes('configure(rest())'));
    expect(lines.slice(set + 1, set + 4)).toEqual(['', answers.replace(/\S.*/, '// What nothing has answered, and errors'), answers]);
  });

  it.each([
    ['export { koa, rest }', 'export { express as koa, rest }'],
    ['export const made = { koa, rest }', 'export const made = { koa: express, rest }'],
    ['settings.koa = { koa: 1 }', 'settings.koa = { koa: 1 }'],
  ])('passes its function on under the name that others know: %s', (statement, after) => {
    const source = `import { koa, rest } from '@feathersjs/koa'\n${statement}\nconst app = koa(feathers)\n`;
    const { text, blockers } = changed(source);
    expect(blockers).toEqual([]);
    expect(text).toContain(`transport-express'\n${after}\nconst app = express(feathers)\n`);
  });

  it('keeps the name of its function where another thing has the new one, and statements of one line apart', () => {
    const source = `import { koa, bodyParser, rest } from '@feathersjs/koa'
import express from 'express'
const make = () => { const app = koa(express); app.use(bodyParser()); app.configure(rest()); return app }`;
    expect(changed(source)).toMatchObject({
      text: `import koa, { rest, json, urlencoded, notFound, errorHandler } from '@framework/transport-express'
import express from 'express'
const make = () => { const app = koa(express); app.use(json({ limit: '1mb' }));
 app.use(urlencoded({ extended: true })); app.configure(rest());

 // What nothing has answered, and errors
 app.use(notFound());
 app.use(errorHandler()); return app }`,
    });
  });

  it.each(['app.configure(socketio((io) => { io.use((socket, next) => next()) }))', 'passport.use(new Strategy())', 'app.io.use(log)'])(
    'leaves what is no middleware of its application as it is: %s',
    (statement) => {
      const { text, blockers } = changed(`${KOA}${statement}\n`);
      expect(blockers).toEqual([]);
      expect(text).toContain(statement);
    },
  );

  it.each([
    [KOA.replace('app.use(errorHandler())', 'app.use(errorHandler()).use(bodyParser())'), 'bodyParser() is given in a part of another'],
    [KOA.replace('const app = koa(feathers())', 'const app = koa(feathers()).use(log())'), 'middleware of Koa has no counterpart'],
    [`${KOA}if (open) app.use(cors())\n`, 'write app.use(cors(…)) by itself first'],
    [`${KOA}app.configure(rest()).use(async (ctx, next) => next())`, 'middleware of Koa has no counterpart'],
    [
      `import { koa, rest } from '@feathersjs/koa'\nclass A { constructor() { this.app = koa(a); this.app.use(log) } }`,
      'has no counterpart',
    ],
    [
      `import { koa, rest } from '@feathersjs/koa'\nconst make = () => { const app = koa(a); return app.configure(rest()) }`,
      'return it in a statement of its own',
    ],
    [KOA.replace('bodyParser()', 'bodyParser({ multipart: true })'), 'The options of bodyParser() are those of Koa'],
    [`${KOA}app.use(async (ctx, next) => next())`, 'middleware of Koa has no counterpart'],
    [`${KOA}app.use(helmet())`, 'middleware of Koa has no counterpart'],
    [`import Router from '@koa/router'\n${KOA}`, '@koa/router: middleware of Koa'],
    [KOA.replace('cors,', 'cors as origins,'), 'imported under other names'],
    [`import { koaBody } from '@feathersjs/koa'`, 'has no counterpart'],
  ])('otherwise stops the whole (%#)', (source, reason) => {
    const { text, blockers } = changed(source);
    expect(text).toBe(source);
    expect(blockers.join('\n')).toContain(reason);
  });
});

describe('options of an adapter that are others here', () => {
  const names = (list: readonly string[]): unknown => list.map((text) => expect.stringMatching(new RegExp(`^${text}`)) as unknown);

  it.each([
    [
      `import { MongoDBService, type MongoDBAdapterOptions } from '@feathersjs/mongodb'\nclass A extends MongoDBService {}\nexport const getOptions = (app): MongoDBAdapterOptions => ({\n  paginate: app.get('paginate'),\n  whitelist: ['$regex'],\n  filters: { $search: (value) => value } as any\n})`,
      ["5: The option 'whitelist' of an adapter is 'operators' here", "6: The option 'filters' of an adapter is a list of names here"],
    ],
    [
      `const { MemoryService, memory } = require('@feathersjs/memory')\nclass A extends MemoryService {}\nnew A({ matcher, 'sorter': sort })\nmemory({ allow: [] })`,
      [
        "3: The option 'matcher' of an adapter is none here: records are matched",
        "3: The option 'sorter' of an adapter is none here: records are sorted",
        "4: The option 'allow' of an adapter is 'operators' here",
      ],
    ],
  ])('are told, as they are refused when the application starts: %s', (source, told) => {
    const { left, blockers } = changed(source);
    expect({ left, blockers }).toEqual({ left: names(told), blockers: [] });
  });

  it.each([
    [
      `import { MongoDBService } from '@feathersjs/mongodb'\nnew MongoDBService({ Model, filters: ['$search'], operators: ['$regex'], multi: true })`,
    ],
    [
      `import { MongoDBService } from '@feathersjs/mongodb'\nlist({ filters: { a: 1 }, matcher: 1 })\nconst { filters, sorter } = { filters: 1, sorter: 2 }`,
    ],
    [`import { feathers } from '@feathersjs/feathers'\nnew Table({ paginate: true, filters: { a: 1 } })`],
  ])('are not told where they are something else: %s', (source) => {
    expect(changed(source).left).toEqual([]);
  });
});
