import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { movedDependencies } from '../src/application/dependencies.ts';
import { planCompilerOptions } from '../src/application/compiler-options.ts';
import { applyEdits } from '../src/source/edit.ts';
import { TestApplication } from './application.ts';

let application: TestApplication | undefined;
afterEach(() => {
  application?.remove();
});

const APP = `import { feathers } from '@feathersjs/feathers'\nexport const app = feathers()\n`;

describe('the manifest', () => {
  it('gets the packages that are used, in the places of the old ones, and keeps its form', () => {
    const manifest = `{\n\t"name": "a", "keywords": [ "feathers" ],\n\t"dependencies": {\n\t\t"@feathersjs/feathers": "^5.0.50",\n\t\t"winston": "1"\n\t},\n\t"private": true\n}`;
    application = new TestApplication({ 'package.json': manifest, 'src/app.js': `${APP}import express from '@feathersjs/express'` });
    const after = application.plan().changes.find(({ file }) => file === 'package.json')?.after;
    expect(after).toBe(
      manifest
        .replace('"@feathersjs/feathers": "^5.0.50"', '"@framework/core": "^0.1.0"')
        .replace('"winston": "1"', '"winston": "1",\n\t\t"@framework/transport-express": "^0.1.0",\n\t\t"express": "^4.21.2"'),
    );
  });

  it('keeps what clients use, and drops the tools', () => {
    const { dependencies, devDependencies } = movedDependencies(
      {
        dependencies: { '@feathersjs/feathers': '^5.0.0', '@feathersjs/adapter-commons': '^5.0.0', express: '^4.18.0' },
        devDependencies: { '@feathersjs/cli': '5.0.0', '@feathersjs/rest-client': '^5.0.0', typescript: '~5.2.0' },
      },
      { now: new Set(['@framework/core', '@framework/transport-express']), kept: new Set(['@feathersjs/feathers']), typescript: true },
    );
    expect(dependencies).toEqual({
      '@feathersjs/feathers': '^5.0.0',
      '@framework/core': '^0.1.0',
      express: '^4.18.0',
      '@framework/transport-express': '^0.1.0',
    });
    expect(devDependencies).toEqual({ '@feathersjs/rest-client': '^5.0.0', typescript: '^5.9.3', '@types/express': '^4.17.23' });
  });
});

describe('a file in another encoding', () => {
  const reasons = (): unknown[] => application?.plan().blockers.map(({ file, reason }) => [file, reason]) ?? [];
  const notUtf8 = expect.stringMatching(/^It is not in UTF-8.+ save it in UTF-8 first$/);

  it('is not changed, since letters beside the changes would become others', () => {
    const name = `export const name = 'Café';\n`;
    application = new TestApplication({
      'src/app.js': APP,
      'src/latin.js': Buffer.from(APP + name, 'latin1'),
      'src/wide.js': Buffer.from(`\uFEFF${APP}`, 'utf16le'),
      'src/wide-without-mark.js': Buffer.from(APP, 'utf16le'),
      'tsconfig.json': Buffer.from('{"compilerOptions":{"moduleResolution":"node"}} // Café', 'latin1'),
    });
    const files = ['src/latin.js', 'src/wide-without-mark.js', 'src/wide.js', 'tsconfig.json'];
    expect(reasons()).toEqual(files.map((file) => [file, notUtf8]));
    expect(application.plan().changes).toEqual([]);
  });

  it('is none of its business where nothing would change in it, and is UTF-8 with a mark before it', () => {
    const other = Buffer.from(`export const name = 'Café';\n`, 'latin1');
    application = new TestApplication({
      'src/app.js': `\uFEFF${APP}// Café\n`,
      'src/other.js': other,
      'src/wide.js': Buffer.from('a', 'utf16le'),
    });
    const { changes, blockers } = application.plan();
    expect(blockers).toEqual([]);
    expect(changes.find(({ file }) => file === 'src/app.js')?.after).toMatch(
      /^\uFEFFimport \{ framework \} from '@framework\/core'[^]+Café\n$/,
    );
  });

  it('is refused as the manifest', () => {
    application = new TestApplication({ 'package.json': Buffer.from('{"name":"Café"}', 'latin1') });
    expect(() => application?.plan()).toThrow(/^package\.json: It is not in UTF-8/);
  });
});

describe('compiler options', () => {
  const planned = (text: string, modules = false): string => applyEdits(text, planCompilerOptions('tsconfig.json', text, modules).edits);

  it('find types, and keep comments', () => {
    const before = `{\n  // ours\n  "compilerOptions": { "module": "CommonJS", "moduleResolution": "node", "strict": true, },\n}`;
    expect(planned(before)).toBe(before.replace('CommonJS', 'nodenext').replace('"node"', '"nodenext"'));
    expect(planned(`{"compilerOptions":{"module":"es2022","moduleResolution":"node"}}`)).toContain('"moduleResolution":"bundler"');
    expect(planned(`{"compilerOptions":{"module":"nodenext"}}`)).toBe(`{"compilerOptions":{"module":"nodenext"}}`);
  });

  it('that are not plain are left, with a reason', () => {
    expect(planCompilerOptions('tsconfig.json', `{"compilerOptions":{"module":"commonjs"}}`, true).left).toEqual([
      expect.objectContaining({ line: 1 }),
    ]);
    expect(planCompilerOptions('tsconfig.json', `{"compilerOptions":{}}`, false).left).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('names no "module"') }),
    ]);
  });
});

describe('the plan', () => {
  it('looks at sources, and not at what is installed, compiled, hidden or linked', () => {
    application = new TestApplication({
      'src/app.js': APP,
      'lib/app.js': APP,
      'node_modules/x/index.js': APP,
      '.hidden/app.js': APP,
      // Made of what is beside it.
      'src/app.d.ts': APP,
      'tsconfig.json': '{"compilerOptions":{"outDir":"./lib/","module":"nodenext"}}',
    });
    expect(application.plan().changes.map(({ file }) => file)).toEqual(['src/app.js', 'package.json']);
  });

  it.each(['public', 'coverage', 'bower_components'])(
    'looks at a folder %s among its sources, which is a service, and not at one of a package',
    (name) => {
      const files = {
        [`src/services/${name}/${name}.ts`]: APP,
        [`${name}/x.js`]: APP,
        'inside/package.json': '{}',
        [`inside/${name}/x.js`]: APP,
      };
      application = new TestApplication(files);
      expect(application.plan().changes.map(({ file }) => file)).toEqual([`src/services/${name}/${name}.ts`, 'package.json']);
    },
  );

  it('has nothing for an application that does not use FeathersJS, or not any more', () => {
    application = new TestApplication({ 'src/app.js': `import { framework } from '@framework/core'` });
    expect(application.plan()).toEqual({ changes: [], left: [], blockers: [] });
  });

  it.each([
    ['request(app.callback())', 'app itself answers requests here'],
    ['createServer(context.app.callback())', 'app itself answers requests here'],
    ['app.proxy = true', "app.set('trust proxy', …)"],
    ["app['keys'] = ['a']", 'cookies are signed by what signs them'],
    ['app.context.db = {}', 'what it gives to requests'],
  ])('tells what is of Koa alone, in each module: %s', (statement, reason) => {
    const made = `import { feathers } from '@feathersjs/feathers'\nimport { koa } from '@feathersjs/koa'\nconst app = koa(feathers())\napp.configure(x)\n`;
    application = new TestApplication({
      'src/app.ts': `${made}${statement}\n`,
      'test/app.test.ts': `import { app } from '../src/app'\n${statement}\n`,
    });
    const { left, blockers } = application.plan();
    expect(blockers).toEqual([]);
    expect(left.map(({ file, line }) => `${file}:${line}`).sort()).toEqual(['src/app.ts:5', 'test/app.test.ts:2']);
    expect(left[0]?.reason).toContain(reason);
  });

  it('takes members of these names for those of others where nothing is of Koa', () => {
    application = new TestApplication({
      'src/app.ts': "import { feathers } from '@feathersjs/feathers'\nconst app = feathers()\napp.callback()\n",
    });
    expect(application.plan().left).toEqual([]);
  });

  it('has middleware of Koa left that a service is registered with', () => {
    const app = `import { feathers } from '@feathersjs/feathers'\nimport { koa } from '@feathersjs/koa'\nconst app = koa(feathers())\napp.use('a', {}, { koa: { before: [guard] } })\n`;
    const service = `export const service = (app) => {
  app.use(path, new Uploads(), {
    methods: ['create'],
    'koa': { before: [guard] }
  })
  app.use({ koa: { before: [] } })
  app.set('transports', { koa: { before: [] } })
  app.use('b', { koa: {} }, { koa, options: { koa: {} } })
}
`;
    application = new TestApplication({ 'src/app.js': app, 'src/service.js': service });
    const left = application.plan().left.filter(({ reason }) => reason.includes("The option 'koa'"));
    expect(left.map(({ file, line }) => [file, line])).toEqual([
      ['src/app.js', 4],
      ['src/service.js', 4],
    ]);
    application.remove();
    application = new TestApplication({ 'src/service.js': `import { Id } from '@feathersjs/feathers'\n${service}` });
    expect(application.plan().left).toEqual([]);
  });

  it('has middleware left that another module gives to an application of Koa', () => {
    const app = `import { feathers } from '@feathersjs/feathers'\nimport { koa, bodyParser } from '@feathersjs/koa'\nconst app = koa(feathers())\napp.use(bodyParser())\napp.configure(log)\n`;
    const uses = ['app.use(async (ctx, next) => next())', `app.use('notes', {})`, 'chai.use(things)', 'context.app.use(router.routes())'];
    const log = `export const log = (app, context) => {\n${uses.join('\n')}\n}`;
    application = new TestApplication({ 'src/app.js': app, 'src/log.js': log });
    const { changes, left } = application.plan();
    expect(changes.map(({ file }) => file)).toEqual(['src/app.js', 'package.json']);
    expect(left.map(({ file, line }) => [file, line])).toEqual([
      ['src/log.js', 2],
      ['src/log.js', 5],
    ]);
    expect(left[0]?.reason).toContain('middleware of Koa has no counterpart in Express');
  });

  it.each([
    "import express from 'express'\nconst app = express()",
    "const app = require('express')() as Server",
    "const express = require('express')\nlet app = express()",
  ])('takes middleware of a server of Express beside an application of Koa for what it is: %s', (made) => {
    const app = `import { feathers } from '@feathersjs/feathers'\nimport { koa, bodyParser } from '@feathersjs/koa'\nconst app = koa(feathers())\napp.use(bodyParser())\n`;
    application = new TestApplication({ 'src/app.ts': app, 'test/pages.ts': `${made}\napp.use(helmet())\ncontext.app.use(log)\n` });
    const { left } = application.plan();
    expect(left.map(({ file, reason }) => [file, reason.split(':')[0]])).toEqual([['test/pages.ts', 'context.app.use(log)']]);
  });

  it('has no change at all where one file stops it', () => {
    application = new TestApplication({
      'src/app.js': APP,
      'src/db.js': `import primus from '@feathersjs/primus'`,
      'src/broken.js': `import { feathers from`,
    });
    const { changes, blockers } = application.plan();
    expect(changes).toEqual([]);
    expect(blockers.map(({ file, line }) => `${file}:${String(line)}`)).toEqual(['src/broken.js:1', 'src/db.js:1']);
  });

  it('notes a secret that is too short, and does not repeat it', () => {
    const files = {
      'src/app.js': APP,
      'config/default.json': `{\n  "authentication": {\n    "secret": "too short"\n  }\n}`,
      'config/broken.json': '{',
    };
    application = new TestApplication(files);
    const { left } = application.plan();
    expect(left[0]).toMatchObject({ file: 'config/default.json', line: 3, reason: expect.stringContaining('less than 32 bytes') });
    expect(JSON.stringify(left)).not.toContain('too short');
  });

  it.each([
    [
      { secret: 'x'.repeat(32), jwtOptions: { header: { typ: 'access' }, expiresIn: '1d' } },
      'Tokens that were made without jwtOptions.issuer',
    ],
    [{ secret: 'x'.repeat(32) }, "unless jwtOptions.issuer is 'feathers'"],
    [{ secret: 'x'.repeat(32), jwtOptions: { issuer: 'shop' } }, undefined],
    [{ local: {} }, undefined],
  ])('notes what becomes of tokens that are out: %j', (authentication, reason) => {
    const text = JSON.stringify({ authentication }, undefined, 1);
    application = new TestApplication({ 'src/app.js': APP, 'config/default.json': text, 'config/test.json': text });
    const { left } = application.plan();
    expect(left.map(({ file }) => file)).toEqual(reason === undefined ? [] : ['config/default.json']);
    expect(left.map((remark) => remark.reason).join()).toContain(reason ?? '');
  });

  it.each([
    [{ 'package.json': '{' }, 'package.json is no JSON'],
    [{ 'package.json': '[]' }, 'package.json is no JSON'],
    [{ 'package.json': '{"dependencies":{"@feathersjs/feathers":"^4.5.0"}}' }, 'one of FeathersJS 4'],
  ])('refuses %j', (files, reason) => {
    application = new TestApplication(files);
    expect(() => application?.plan()).toThrow(reason);
  });
});

describe('packages that stay, and came with those that go', () => {
  const used = {
    'src/app.ts': `import { memory } from '@feathersjs/memory'\nimport { createDebug } from '@feathersjs/commons'\nconst { hooks } = require('@feathersjs/hooks')\n`,
    'src/client.ts': `import { feathers } from '@feathersjs/feathers'\nimport rest from '@feathersjs/rest-client'\nfeathers().configure(rest('/').fetch(fetch))\n`,
    'src/files.ts': `import { AdapterBase } from '@feathersjs/adapter-commons'\nclass Files extends AdapterBase {}\n`,
  };
  const after = (manifest: object): { readonly dependencies: object; readonly devDependencies?: object } => {
    application = new TestApplication({ 'package.json': JSON.stringify(manifest), ...used });
    const { changes, blockers } = application.plan();
    expect(blockers).toEqual([]);
    return JSON.parse(changes.find(({ file }) => file === 'package.json')?.after ?? '') as ReturnType<typeof after>;
  };

  it('are dependencies then, in the version of the others', () => {
    expect(after({ dependencies: { '@feathersjs/memory': '^5.0.30' } }).dependencies).toEqual({
      '@framework/adapter-memory': '^0.1.0',
      '@feathersjs/commons': '^5.0.30',
      '@feathersjs/hooks': '^0.9.0',
      '@feathersjs/feathers': '^5.0.30',
      '@feathersjs/rest-client': '^5.0.30',
      '@feathersjs/adapter-commons': '^5.0.30',
    });
  });

  it.each([
    [{ dependencies: { '@feathersjs/typebox': '^5.0.30' } }, 'dependencies'],
    [{ devDependencies: { '@sinclair/typebox': '^0.25.0', '@feathersjs/typebox': '^5.0.30' } }, 'devDependencies'],
  ] as const)('have TypeBox among them in the version of the schemas: %j', (manifest, group) => {
    const uses = { 'src/schema.ts': `import { Type, type TObject } from '@feathersjs/typebox'\n` };
    application = new TestApplication({ 'package.json': JSON.stringify(manifest), ...uses });
    const changed = JSON.parse(application.plan().changes.find(({ file }) => file === 'package.json')?.after ?? '') as Record<
      string,
      object
    >;
    const schemas = JSON.parse(readFileSync(join(import.meta.dirname, '../../schema/package.json'), 'utf8')) as typeof changed;
    expect(changed[group]).toEqual({
      '@framework/schema': '^0.1.0',
      '@sinclair/typebox': Reflect.get(schemas.dependencies ?? {}, '@sinclair/typebox'),
    });
  });

  it('stay where they stood', () => {
    const stood = { '@feathersjs/commons': '5.0.1', '@feathersjs/hooks': '0.8.0', '@feathersjs/adapter-commons': '5.0.2' };
    const devDependencies = { '@feathersjs/rest-client': '5.0.3', '@feathersjs/feathers': '5.0.4' };
    expect(after({ dependencies: { '@feathersjs/memory': '^5.0.30', ...stood }, devDependencies })).toEqual({
      dependencies: { '@framework/adapter-memory': '^0.1.0', ...stood },
      devDependencies,
    });
  });
});

describe('adapters of an application', () => {
  const imported = `import { AdapterBase, select, type AdapterParams } from '@feathersjs/adapter-commons'\nimport { NotFound } from '@feathersjs/errors'\n`;
  const own = `class Files extends AdapterBase {\n  async sanitizeQuery() {}\n}\nlet a: AdapterParams<Query>\n`;
  const manifest = JSON.stringify({
    dependencies: { '@feathersjs/errors': '^5.0.0', '@feathersjs/adapter-commons': '^5.0.0' },
    devDependencies: { '@feathersjs/adapter-tests': '^5.0.0' },
  });
  const suite = `import adapterTests from '@feathersjs/adapter-tests'\nadapterTests(['.id'])\n`;

  it('keep what they are made of, and their tests', () => {
    application = new TestApplication({ 'package.json': manifest, 'src/files.ts': imported + own, 'test/files.test.ts': suite });
    const { changes, left, blockers } = application.plan();
    expect([left, blockers]).toEqual([[], []]);
    expect(changes.map(({ file, after }) => [file, after])).toEqual([
      ['src/files.ts', imported.replace('@feathersjs/errors', '@framework/errors') + own],
      ['package.json', expect.any(String)],
    ]);
    expect(JSON.parse(changes[1]?.after ?? '')).toEqual({
      dependencies: { '@framework/errors': '^0.1.0', '@feathersjs/adapter-commons': '^5.0.0' },
      devDependencies: { '@feathersjs/adapter-tests': '^5.0.0' },
    });
  });

  it('keep it where it is required, too', () => {
    const required = `const { AdapterBase, select } = require('@feathersjs/adapter-commons')\nmodule.exports = class Files extends AdapterBase {}\n`;
    application = new TestApplication({
      'package.json': manifest,
      'src/files.js': required,
      'src/select.js': `import { select } from '@feathersjs/adapter-commons'`,
    });
    const { changes, left, blockers } = application.plan();
    expect([left, blockers]).toEqual([[], []]);
    expect(changes.map(({ file }) => file)).toEqual(['src/select.js', 'package.json']);
    expect(JSON.parse(changes[1]?.after ?? '')).toMatchObject({
      dependencies: { '@framework/query': '^0.1.0', '@feathersjs/adapter-commons': '^5.0.0' },
    });
  });

  it('have the parameters that the application adds', () => {
    const params = `declare module '@feathersjs/feathers' {\n  interface Params {\n    user?: User\n  }\n}\n`;
    application = new TestApplication({ 'package.json': manifest, 'src/files.ts': imported + own, 'src/params.ts': params });
    const { changes } = application.plan();
    expect(changes.find(({ file }) => file === 'src/params.ts')?.after).toBe(
      params.replace('@feathersjs/feathers', '@framework/core') + '\n' + params,
    );
  });
});

describe('services of @feathersjs/knex', () => {
  const PEOPLE = `import { KnexService } from '@feathersjs/knex'\nimport type { KnexAdapterParams } from '@feathersjs/knex'\nexport class People extends KnexService {}\n`;
  const PARAMS = `declare module '@feathersjs/feathers' {\n  interface Params {\n    user?: User\n  }\n}\n`;
  const manifest = JSON.stringify({ dependencies: { '@feathersjs/feathers': '^5.0.0', '@feathersjs/knex': '^5.0.0', knex: '^3.0.0' } });

  it('stay with their imports and their dependency', () => {
    application = new TestApplication({ 'package.json': manifest, 'src/app.js': APP, 'src/people.ts': PEOPLE });
    const { changes, left, blockers } = application.plan();
    expect([left, blockers]).toEqual([[], []]);
    expect(changes.map(({ file }) => file)).toEqual(['src/app.js', 'package.json']);
    expect(JSON.parse(changes[1]?.after ?? '')).toEqual({
      dependencies: { '@framework/core': '^0.1.0', '@feathersjs/knex': '^5.0.0', knex: '^3.0.0' },
    });
  });

  it('have the parameters that the application adds, also when the command runs again', () => {
    application = new TestApplication({ 'package.json': manifest, 'src/people.ts': PEOPLE, 'src/params.ts': PARAMS });
    const { changes } = application.plan();
    const both = PARAMS.replace('@feathersjs/feathers', '@framework/core') + '\n' + PARAMS;
    expect(changes.find(({ file }) => file === 'src/params.ts')?.after).toBe(both);
    expect(JSON.parse(changes.find(({ file }) => file === 'package.json')?.after ?? '')).toMatchObject({
      dependencies: { '@feathersjs/feathers': '^5.0.0', '@framework/core': '^0.1.0' },
    });
    application.remove();
    application = new TestApplication({ 'package.json': manifest, 'src/people.ts': PEOPLE, 'src/params.ts': both });
    expect(application.plan()).toEqual({ changes: [], left: [], blockers: [] });
  });

  it('are none where nothing imports them: the parameters move', () => {
    application = new TestApplication({ 'src/params.ts': PARAMS });
    expect(application.plan().changes.find(({ file }) => file === 'src/params.ts')?.after).toBe(
      PARAMS.replace('@feathersjs/feathers', '@framework/core'),
    );
  });
});

describe('plug-ins that are typed for FeathersJS', () => {
  const HOOKS = `import type { HookContext } from 'feathers-hooks-common'\nimport { disallow } from 'feathers-hooks-common'\n`;
  const told = (files: Record<string, string>): unknown[] => {
    application = new TestApplication(files);
    const { left } = application.plan();
    return left.map(({ file, line, reason }) => [file, line, /declare PluginApplication once/.test(reason)]);
  };

  it.each([
    ['their hooks', HOOKS, [['src/a.ts', 2, true]]],
    ['hooks for transactions', `import { transaction } from '@feathersjs/knex'`, [['src/a.ts', 1, true]]],
    ['types alone', `import type { HookContext } from 'feathers-hooks-common'`, []],
    ['a service', `import { KnexService } from '@feathersjs/knex'`, []],
  ])('are told once, where the first one is imported (%s)', (_, text, expected) => {
    expect(told({ 'src/a.ts': text, 'src/b.ts': text })).toEqual(expected);
  });

  it('keep the type of the application that is named for them', () => {
    const declaration = `import type { Application } from '@feathersjs/feathers'\ndeclare module '@framework/core' {\n  interface PluginApplication extends Application {}\n}\n`;
    application = new TestApplication({ 'src/a.ts': HOOKS, 'src/b.ts': declaration, 'src/app.js': APP });
    const { changes, left, blockers } = application.plan();
    expect([left, blockers, changes.map(({ file }) => file)]).toEqual([[], [], ['src/app.js', 'package.json']]);
    expect(JSON.parse(changes[1]?.after ?? '')).toMatchObject({ dependencies: { '@feathersjs/feathers': '^5.0.50' } });
  });

  it.each([
    ['in JavaScript', { 'src/a.js': HOOKS }],
    [
      'where the declaration is there',
      { 'src/a.ts': HOOKS, 'src/b.ts': `declare module '@framework/core' { interface PluginApplication {} } // feathers` },
    ],
  ])('are not told %s', (_, files) => {
    expect(told(files)).toEqual([]);
  });
});
