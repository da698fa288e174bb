import { afterEach, describe, expect, it } from '@jest/globals';
import { changed, TestApplication } from './application.ts';

describe('a name of a package that is no import', () => {
  it.each([
    [`jest.mock('@feathersjs/feathers')`, 'src/a.ts'],
    [`require.resolve('@feathersjs/express')`, 'src/a.cjs'],
    [`export default { external: ['@feathersjs/errors/lib/index'] }`, 'rollup.config.mjs'],
    [`export default { moduleNameMapper: { '^@feathersjs/(.*)$': 'x' } }`, 'jest.config.mjs'],
    ['const x = await import(`@feathersjs/${name}`)', 'src/a.mjs'],
  ])('is left, with its line: %s', (source, file) => {
    expect(changed(source, file)).toEqual({
      text: source,
      left: [expect.stringMatching(/^1: .*@feathersjs\/.* is a text here/)],
      blockers: [],
    });
  });

  it.each([
    [`console.log('@feathersjs/feathers is great') // @feathersjs/feathers`],
    [`const client = '@feathersjs/rest-client'`],
    [`const hooks = '@feathersjs/hooks'`],
    [`import { createDebug } from '@feathersjs/commons'`],
    [`/** @type {import('@feathersjs/knex').KnexService} */\nlet a`],
  ])('that says nothing of a module stays: %s', (source) => {
    expect(changed(source)).toEqual({ text: source, left: [], blockers: [] });
  });

  it('in a type of JSDoc is that of here, with its names', () => {
    const before = `/** @type {import('@feathersjs/feathers').Application<import("@feathersjs/errors").FeathersError>} */\nlet a\n// import('@feathersjs/feathers').Id`;
    const after = `/** @type {import('@framework/core').Application<import("@framework/errors").FrameworkError>} */\nlet a\n// import('@framework/core').Id`;
    expect(changed(before, 'src/a.js')).toEqual({ text: after, left: [], blockers: [] });
  });

  it('in a type of JSDoc between imported names is left', () => {
    const before = `import {\n  /** @type {import('@feathersjs/feathers').Id} */ feathers\n} from '@feathersjs/feathers'`;
    expect(changed(before, 'src/a.js').left).toEqual([expect.stringMatching(/^2: import.* in a comment/)]);
  });

  it('in a type of JSDoc is of the package that has the name', () => {
    const before = `/** @param {import('@feathersjs/feathers').PaginationOptions} a */\nfunction f(a) {}`;
    expect(changed(before, 'src/a.js').text).toContain(`{import('@framework/query').PaginationOptions}`);
  });

  it.each([
    [`import('@feathersjs/feathers').hookMixin`],
    [`import('@feathersjs/primus').Primus`],
    [`typeof import('@feathersjs/feathers')`],
  ])('in JSDoc without a counterpart is left: %s', (type) => {
    expect(changed(`/** @type {${type}} */\nlet a`, 'src/a.js').left).toEqual([expect.stringContaining('in a comment')]);
  });
});

describe('package.json', () => {
  let application: TestApplication;
  afterEach(() => application.remove());

  it('has every other place that names a package of the server, with its line', () => {
    const manifest = {
      dependencies: { '@feathersjs/feathers': '^5.0.0' },
      peerDependencies: { '@feathersjs/feathers': '5' },
      overrides: { '@feathersjs/errors': '5.0.1', other: { '@feathersjs/schema@5': '5' } },
      pnpm: { overrides: { 'a>@feathersjs/express': '5' } },
      bundleDependencies: ['@feathersjs/koa'],
      scripts: { generate: 'feathers generate service', test: 'mocha' },
      resolutions: { '@feathersjs/rest-client': '5' },
    };
    application = new TestApplication({
      'package.json': JSON.stringify(manifest, undefined, 2),
      'src/app.js': `import { feathers } from '@feathersjs/feathers'`,
    });
    expect(application.plan().left.map(({ file, line }) => [file, line])).toEqual(
      [6, 9, 11, 16, 20, 23].map((line) => ['package.json', line]),
    );
  });

  it('is looked at where no source is changed, too', () => {
    application = new TestApplication({ 'package.json': '{ "peerDependencies": { "@feathersjs/feathers": "5" } }' });
    expect(application.plan().left).toMatchObject([{ file: 'package.json', line: 1 }]);
  });

  it('of a package inside is told, with each of its dependencies', () => {
    application = new TestApplication({
      'src/app.js': `import { feathers } from '@feathersjs/feathers'`,
      'packages/api/package.json': JSON.stringify({ dependencies: { '@feathersjs/express': '5', winston: '1' } }, undefined, 2),
      'packages/web/package.json': JSON.stringify({ dependencies: { '@feathersjs/rest-client': '5' } }, undefined, 2),
    });
    expect(application.plan().left).toMatchObject([
      { file: 'packages/api/package.json', line: 3, reason: expect.stringContaining('run the command in its folder') },
    ]);
  });

  it('of a package inside that is no JSON is told', () => {
    application = new TestApplication({ 'src/app.js': `import '@feathersjs/feathers'`, 'api/package.json': '{ "@feathersjs/express"' });
    expect(application.plan().left).toMatchObject([{ file: 'api/package.json', line: 1 }]);
  });
});
