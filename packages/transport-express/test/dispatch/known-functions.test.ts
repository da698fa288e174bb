import { createRequire } from 'node:module';
import plainExpress from 'express';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import express from '../../src/index.ts';
import { routerOf, type ExpressInternals } from '../../src/dispatch/express-internals.ts';
import { isExpressOwn, rulesOf } from '../../src/dispatch/known-functions.ts';

/** The floor of the peer range; the packages have no types of their own. */
const load = createRequire(import.meta.url);

type Factory = () => { use(handler: () => void): unknown };

/** The functions of a plain application that requests pass through. */
function functionsOf(create: Factory): { handle: object; router: Parameters<typeof rulesOf>[0]; layer: object | undefined } {
  const app = create();
  app.use(() => undefined);
  const internals = app as unknown as ExpressInternals;
  const router = routerOf(internals);
  if (!router) throw new Error('an application with a layer has a router');
  const layer = router.stack.at(-1);
  return { handle: internals.handle, router, layer: layer?.handleRequest ?? layer?.handle_request };
}

describe('which functions are known', () => {
  it.each([
    ['the installed one', plainExpress],
    ['4.18.0', load('express4-floor') as unknown],
    ['5.0.0', load('express5-floor') as unknown],
  ])('knows Express: %s', (_version, create) => {
    const { handle, router, layer } = functionsOf(create as unknown as Factory);
    expect([isExpressOwn(handle), isExpressOwn(layer), rulesOf(router)]).toEqual([true, true, expect.any(Object)]);
  });

  it('does not know a function that was wrapped, bound or put behind a proxy', () => {
    const { router } = functionsOf(plainExpress as unknown as Factory);
    const { handle } = router;
    const wrapped = function handle(this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(router.handle, this, args);
    };
    for (const other of [wrapped, handle.bind(router), new Proxy(handle, {})]) {
      expect(rulesOf({ handle: other })).toBeUndefined();
    }
  });

  it('leaves a router with a `handle` of its own alone', () => {
    const app = express(framework()) as unknown as ExpressInternals & { use(handler: () => void): unknown };
    app.use(() => undefined);
    const router = routerOf(app) as { handle: unknown };
    const own = (_req: object, _res: object, done: () => void): void => {
      done();
    };
    router.handle = own;
    const passed: string[] = [];
    app.handle({ method: 'GET', url: '/' }, { setHeader: () => undefined, once: () => undefined }, () => passed.push('done'));
    expect([router.handle, passed]).toEqual([own, ['done']]);
  });
});
