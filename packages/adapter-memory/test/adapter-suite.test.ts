import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import feathersErrors from '@feathersjs/errors';
import adapterTests from '@feathersjs/adapter-tests';
import { framework } from '@framework/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

// The suite is written for mocha.
Object.assign(globalThis, { describe, it, before: beforeAll, after: afterAll, beforeEach, afterEach });

type Suite = (app: unknown, errors: unknown, path: string, id: string) => void;
const defineSuite = ((adapterTests as unknown as { default?: unknown }).default ?? adapterTests) as (names: string[]) => Suite;

/** Every name that the package declares. */
const folder = createRequire(import.meta.url)
  .resolve('@feathersjs/adapter-tests')
  .replace(/index\.js$/, '');
const declared = [...readFileSync(`${folder}declarations.d.ts`, 'utf8').matchAll(/'([^']+)'/g)].map((match) => match[1] as string);

const app = framework();
app.use('people', new MemoryService({ events: ['testing'] }));
app.use('people-customid', new MemoryService({ id: 'customid', events: ['testing'] }));

describe("the incumbent's adapter suite", () => {
  it('has all its cases', () => {
    expect(declared.length).toBeGreaterThan(78);
  });
  const suite = defineSuite(declared);
  suite(app, feathersErrors, 'people', 'id');
  suite(app, feathersErrors, 'people-customid', 'customid');
});
