import feathersErrors from '@feathersjs/errors';
import adapterTests from '@feathersjs/adapter-tests';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DocDbService } from '../src/index.ts';

// The suite is written for mocha.
Object.assign(globalThis, { describe, it, before: beforeAll, after: afterAll, beforeEach, afterEach });

type Suite = (app: unknown, errors: unknown, path: string, id: string) => void;
const defineSuite = ((adapterTests as unknown as { default?: unknown }).default ?? adapterTests) as (names: string[]) => Suite;

/** Every name that the package declares. */
async function declaredNames(): Promise<string[]> {
  const { readFileSync } = await import('node:fs');
  const { createRequire } = await import('node:module');
  const folder = createRequire(import.meta.url)
    .resolve('@feathersjs/adapter-tests')
    .replace(/index\.js$/, '');
  const declarations = readFileSync(`${folder}declarations.d.ts`, 'utf8');
  return [...declarations.matchAll(/'([^']+)'/g)].map((match) => match[1] as string);
}

const declared = await declaredNames();
const app = framework();
let database: TestDatabase;
const model = (name: string) => () => database.db.collection(name);
app.use('people', new DocDbService({ Model: model('people'), events: ['testing'] }));
app.use('people-customid', new DocDbService({ Model: model('customid'), id: 'customid', events: ['testing'] }));
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

describe("the incumbent's adapter suite", () => {
  it('has all its cases', () => {
    expect(declared.length).toBeGreaterThan(78);
  });
  const suite = defineSuite(declared);
  suite(app, feathersErrors, 'people', '_id');
  suite(app, feathersErrors, 'people-customid', 'customid');
});
