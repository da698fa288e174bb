import { describe, expect, it } from '@jest/globals';
import { changed } from './application.ts';

describe('imports', () => {
  it.each([
    [
      `import { feathers } from '@feathersjs/feathers'\nconst app = feathers()`,
      `import { framework } from '@framework/core'\nconst app = framework()`,
    ],
    [`import type { Params, Id } from "@feathersjs/feathers";`, `import type { Params, Id } from "@framework/core";`],
    [
      `import configuration from '@feathersjs/configuration';\nuse(configuration());`,
      `import { configuration } from '@framework/configuration';\nuse(configuration());`,
    ],
    [`import settings from '@feathersjs/configuration'`, `import { configuration as settings } from '@framework/configuration'`],
    [`import express, { rest } from '@feathersjs/express'`, `import express, { rest } from '@framework/transport-express'`],
    [`import { feathers as make } from '@feathersjs/feathers'\nmake()`, `import { framework as make } from '@framework/core'\nmake()`],
    [`import { HookContext as C } from '@feathersjs/feathers'\nlet c: C`, `import { HookContext as C } from '@framework/core'\nlet c: C`],
    [
      `import type { RealTimeConnection, Params } from '@feathersjs/feathers'\nlet c: RealTimeConnection`,
      `import type { Connection } from '@framework/channels'\nimport type { Params } from '@framework/core'\nlet c: Connection`,
    ],
    [
      `import { type FromSchema, resolve } from '@feathersjs/schema'`,
      `import { type FromSchema } from 'json-schema-to-ts'\nimport { resolve } from '@framework/schema'`,
    ],
    [
      `import { Type, type TObject, querySyntax } from '@feathersjs/typebox'`,
      `import { Type, querySyntax } from '@framework/schema'\nimport { type TObject } from '@sinclair/typebox'`,
    ],
    [`import type { TString as S } from '@feathersjs/typebox'`, `import type { TString as S } from '@sinclair/typebox'`],
    [`import '@feathersjs/transport-commons'`, `import '@framework/channels'`],
    [`export { Id } from '@feathersjs/feathers'`, `export { Id } from '@framework/core'`],
    [
      `import type { FeathersErrorJSON as E } from '@feathersjs/errors'`,
      `import type { FrameworkErrorJSON as E } from '@framework/errors'`,
    ],
    [`export { FeathersError } from '@feathersjs/errors'`, `export { FrameworkError as FeathersError } from '@framework/errors'`],
    [
      `declare module '@feathersjs/feathers' { interface Params { a: 1 } }`,
      `declare module '@framework/core' { interface Params { a: 1 } }`,
    ],
  ])('%s', (before, after) => {
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it('give two names that are one here each its own', () => {
    const { text, blockers } = changed(
      `import type { Service } from '@feathersjs/feathers'\nimport type { ServiceInterface, FeathersService } from '@feathersjs/feathers'\nlet s: Service<A, Service<B>>, i: ServiceInterface<A>`,
    );
    expect([text, blockers]).toEqual([
      `import type { ServiceMethods } from '@framework/core'\nimport type { ServiceMethods as ServiceInterface, FrameworkService } from '@framework/core'\nlet s: ServiceMethods<A, ServiceMethods<B>>, i: Partial<ServiceInterface<A>>`,
      [],
    ]);
  });

  it('leave names of other modules that the file passes on as they are', () => {
    const others = `export { feathers as own } from './own'\nexport * as feathers from './all'`;
    const { text, blockers } = changed(`import { feathers } from '@feathersjs/feathers'\nconst app = feathers()\n${others}`);
    expect([text, blockers]).toEqual([`import { framework } from '@framework/core'\nconst app = framework()\n${others}`, []]);
  });

  it('keep their form over several lines, and line ends', () => {
    const before = `import {\r\n  NotFound, // kept\r\n  BadRequest\r\n} from '@feathersjs/errors'\r\n`;
    expect(changed(before).text).toBe(before.replace('@feathersjs', '@framework'));
  });

  it.each([
    [
      `import { feathers } from '@feathersjs/feathers'\nclass A { constructor(private feathers: string) {} }\nfeathers()`,
      `import { framework as feathers } from '@framework/core'\nclass A { constructor(private feathers: string) {} }\nfeathers()`,
    ],
    // Another thing has the new name, or the old one: the import alone is changed.
    [
      `import { feathers } from '@feathersjs/feathers'\nconst framework = feathers()`,
      `import { framework as feathers } from '@framework/core'\nconst framework = feathers()`,
    ],
    [
      `import { feathers } from '@feathersjs/feathers'\nconst f = (feathers) => feathers()`,
      `import { framework as feathers } from '@framework/core'\nconst f = (feathers) => feathers()`,
    ],
    [
      `import { feathers } from '@feathersjs/feathers'\nconst { a: [feathers] } = b`,
      `import { framework as feathers } from '@framework/core'\nconst { a: [feathers] } = b`,
    ],
    // Members and keys are no uses.
    [
      `import { feathers } from '@feathersjs/feathers'\nconst a = { feathers, feathers: 1, b: feathers, c: d.feathers.e }\nexport { feathers }`,
      `import { framework } from '@framework/core'\nconst a = { feathers: framework, feathers: 1, b: framework, c: d.feathers.e }\nexport { framework as feathers }`,
    ],
  ])('%s', (before, after) => {
    expect(changed(before).text).toBe(after);
  });

  it.each([
    [`import * as feathers from '@feathersjs/feathers'`, 'hides which names are used'],
    [`import { hookMixin } from '@feathersjs/feathers'`, `'hookMixin' of @feathersjs/feathers has no counterpart`],
    [`import { toString } from '@feathersjs/feathers'`, `'toString' of @feathersjs/feathers has no counterpart`],
    [`import primus from '@feathersjs/primus'`, 'there is no transport for Primus'],
    [`import x from '@feathersjs/unheard-of'`, '@feathersjs/unheard-of has no counterpart'],
    [`export * from '@feathersjs/errors'`, 'passes on names that are others here'],
    [`let a: import('@feathersjs/feathers').Id`, 'import the type by its name'],
    [`import express = require('@feathersjs/express')`, 'hides which names are used'],
    [`import feathers from '@feathersjs/feathers'\nfeathers.version`, 'has members'],
    [`export type { ServiceInterface } from '@feathersjs/feathers'`, 'can not be passed on'],
    [`declare module '@feathersjs/primus' { interface A {} }`, 'Primus'],
    [`declare module '@feathersjs/feathers' { interface PaginationOptions {} }`, 'can not be added to'],
    [`import express from '@feathersjs/express'\nimport rest from '@feathersjs/rest-client'`, 'a client and a server'],
    [
      `const express = require('@feathersjs/express').default\nconst rest = require('@feathersjs/rest-client').default`,
      'a client and a server',
    ],
    [`import { x from '@feathersjs/feathers'`, 'It can not be parsed'],
  ])('%s stops the whole', (source, reason) => {
    const { text, blockers } = changed(source);
    expect(text).toBe(source);
    expect(blockers).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    'class Users { constructor(@Inject() private readonly feathers: string) {} }',
    '@service("users") class Users { accessor name = 1 }',
    `import settings from './settings.json' assert { type: 'json' };`,
    `import settings from './settings.json' with { type: 'json' };`,
    `import defer * as later from './later.js';`,
    `import source wasm from './module.wasm';`,
    'using file = open();',
  ])('are changed beside %s', (line) => {
    const change = changed(`import { NotFound } from '@feathersjs/errors';\n${line}\n`);
    expect(change).toEqual({ text: `import { NotFound } from '@framework/errors';\n${line}\n`, left: [], blockers: [] });
  });

  it('are changed in what decorators of parameters are given', () => {
    const before = `import { FeathersError } from '@feathersjs/errors';\nclass A { constructor(@Catch(FeathersError) private readonly a: string) {} }`;
    const after = `import { FrameworkError } from '@framework/errors';\nclass A { constructor(@Catch(FrameworkError) private readonly a: string) {} }`;
    expect(changed(before).text).toBe(after);
  });

  it('keep the comments between their names', () => {
    const before = `import {\n  // the framework\n  feathers, /* by us */\n  Id\n} from '@feathersjs/feathers'`;
    expect(changed(before).text).toBe(`// the framework\n/* by us */\nimport { framework, Id } from '@framework/core'`);
  });

  it.each([
    [
      `declare module '@feathersjs/feathers/lib/declarations' { interface Params { user?: string } }`,
      `declare module '@framework/core' { interface Params { user?: string } }`,
    ],
    [
      `declare module '@feathersjs/mongodb' { interface MongoDBAdapterParams { a: 1 } }`,
      `declare module '@framework/adapter-docdb' { interface DocDbParams { a: 1 } }`,
    ],
  ])('what is added to a module is added to that of here: %s', (before, after) => {
    expect(changed(before, 'src/declarations.d.ts')).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    `import { feathers } from '@feathersjs/feathers'\nimport rest from '@feathersjs/rest-client'\nexport const client = feathers().configure(rest())`,
    `const { feathers } = require('@feathersjs/feathers')\nconst rest = require('@feathersjs/rest-client')\nconst client = feathers().configure(rest())`,
    `const { feathers } = require('@feathersjs/feathers')\nconst rest = require('@feathersjs/rest-client').default\nconst client = feathers().configure(rest())`,
    `const { feathers } = require('@feathersjs/feathers')\nconst connect = () => feathers().configure(require('@feathersjs/rest-client').default())`,
    `import { feathers } from '@feathersjs/feathers'\nconst { default: rest } = await import('@feathersjs/rest-client')\nfeathers().configure(rest())`,
    `import { feathers } from '@feathersjs/feathers'\nexport { default as rest } from '@feathersjs/rest-client'\nexport const client = feathers()`,
  ])('of modules of clients stay, however they load what makes one: %s', (client) => {
    expect(changed(client)).toEqual({ text: client, left: [], blockers: [] });
  });

  it('of @feathersjs/hooks stay: it works here', () => {
    const source = `import { hooks } from '@feathersjs/hooks'`;
    expect(changed(source)).toEqual({ text: source, left: [], blockers: [] });
  });
});

describe('require', () => {
  it('of the name feathers is not taken for a request that has one', () => {
    expect(changed(`const { feathers } = require('@feathersjs/feathers')`)).toEqual({
      text: `const { framework: feathers } = require('@framework/core')`,
      left: [],
      blockers: [],
    });
  });

  it.each([
    [`const { feathers } = require('@feathersjs/feathers')`, `const { framework: feathers } = require('@framework/core')`],
    [`const { feathers: f, Id } = require("@feathersjs/feathers")`, `const { framework: f, Id } = require("@framework/core")`],
    [`const express = require('@feathersjs/express')`, `const express = require('@framework/transport-express').default`],
    [
      `const configuration = require('@feathersjs/configuration')`,
      `const configuration = require('@framework/configuration').configuration`,
    ],
    [`const app = require('@feathersjs/feathers').feathers()`, `const app = require('@framework/core').framework()`],
    ['const { NotFound } = require(`@feathersjs/errors`)', 'const { NotFound } = require(`@framework/errors`)'],
    [
      `const express = require('@feathersjs/express')\nexpress.json()`,
      `const express = require('@framework/transport-express').default\nexpress.json()`,
    ],
    [`const { NotFound } = await import('@feathersjs/errors')`, `const { NotFound } = await import('@framework/errors')`],
  ])('%s', (before, after) => {
    expect(changed(before, 'src/app.cjs').text).toBe(after);
  });

  it.each([
    [`const schema = require('@feathersjs/schema')`, 'hides which names are used'],
    [`const { ...all } = require('@feathersjs/errors')`, 'not all written down'],
    [`const { hookMixin } = require('@feathersjs/feathers')`, 'has no counterpart'],
    [`const primus = require('@feathersjs/primus')`, 'Primus'],
    [`const feathers = require('@feathersjs/feathers')\nconst app = feathers.feathers()`, 'has members'],
    [`const express = require('@feathersjs/express')\nexpress.default()`, 'has members'],
  ])('%s stops the whole', (source, reason) => {
    expect(changed(source, 'src/app.cjs').blockers).toEqual([expect.stringContaining(reason)]);
  });
});

describe('files of packages', () => {
  it.each([
    [`import { Id, type Params } from '@feathersjs/feathers/lib/declarations'`, `import { Id, type Params } from '@framework/core'`],
    [`import type { ServiceMethods } from '@feathersjs/feathers/lib'`, `import type { ServiceMethods } from '@framework/core'`],
    [`import { authenticate } from "@feathersjs/authentication/lib/hooks"`, `import { authenticate } from "@framework/authentication"`],
    [`import { feathers } from '@feathersjs/feathers/lib/index.js'`, `import { framework } from '@framework/core'`],
    [`import express from '@feathersjs/express/lib'`, `import express from '@framework/transport-express'`],
    [`export { NotFound } from '@feathersjs/errors/lib/index'`, `export { NotFound } from '@framework/errors'`],
    [`const { rest } = require('@feathersjs/express/lib/rest.js')`, `const { rest } = require('@framework/transport-express')`],
    [`const { NotFound } = await import('@feathersjs/errors/lib')`, `const { NotFound } = await import('@framework/errors')`],
    [`import { KnexService } from '@feathersjs/knex/lib'`, `import { KnexService } from '@feathersjs/knex/lib'`],
  ])('are read as the packages: %s', (before, after) => {
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    [`import rest from '@feathersjs/express/lib/rest'`],
    [`import { default as rest } from '@feathersjs/express/lib/rest'`],
    [`import * as hooks from '@feathersjs/schema/lib/hooks'`],
    [`const rest = require('@feathersjs/express/lib/rest')`],
    [`let a: import('@feathersjs/feathers/lib').Id`],
    [`import { hookMixin } from '@feathersjs/feathers/lib/hooks'`],
  ])('stop the whole where that would be something else, or not there: %s', (source) => {
    const { text, blockers } = changed(source);
    expect([text, blockers.length]).toEqual([source, 1]);
  });
});

describe('errors that are taken from the module as a whole', () => {
  it.each([
    [
      `const errors = require('@feathersjs/errors')\nif (e instanceof errors.FeathersError) throw new errors.NotFound('a', { errors: 1 })\na.errors = errors?.Conflict`,
      `const errors = require('@framework/errors')\nif (e instanceof errors.FrameworkError) throw new errors.NotFound('a', { errors: 1 })\na.errors = errors?.Conflict`,
    ],
    [
      `import * as errors from '@feathersjs/errors'\nlet a: errors.FeathersErrorJSON = new errors.BadRequest().toJSON()`,
      `import * as errors from '@framework/errors'\nlet a: errors.FrameworkErrorJSON = new errors.BadRequest().toJSON()`,
    ],
    [
      `const all = await import('@feathersjs/errors')\nthrow new all.Forbidden()`,
      `const all = await import('@framework/errors')\nthrow new all.Forbidden()`,
    ],
  ])('stay there: %s', (before, after) => {
    expect(changed(before)).toEqual({ text: after, left: [], blockers: [] });
  });

  it.each([
    [`const errors = require('@feathersjs/errors')\nmodule.exports = { errors }`],
    [`const errors = require('@feathersjs/errors')\nthrow new errors[name]()`],
    [`const errors = require('@feathersjs/errors')\nthrow errors.unheardOf`],
    [`const errors = require('@feathersjs/errors')\nconst f = (errors) => errors.NotFound`],
    [`import * as errors from '@feathersjs/errors'\nexport { errors }`],
    [`import * as mongodb from '@feathersjs/mongodb'\nclass A extends mongodb.MongoDBService { sanitizeQuery() {} }`],
  ])('stop the whole where it is not seen which they are, and so do other modules: %s', (source) => {
    const { text, blockers } = changed(source);
    expect({ text, blockers }).toEqual({ text: source, blockers: [expect.stringMatching(/hides which names are used/)] });
  });
});
