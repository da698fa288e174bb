import { describe, expect, it } from '@jest/globals';
import { ownRejections } from '../../src/rest/own-rejections.ts';

const failure = new Error('of middleware');

/** Runs middleware as Express does. @returns what it was given, and what it passed on */
async function run(middleware: (...args: unknown[]) => unknown, args: readonly unknown[]): Promise<[unknown[], number]> {
  const passed: unknown[] = [];
  const owned = ownRejections(middleware as never) as (...given: unknown[]) => unknown;
  expect(Reflect.apply(owned, undefined, [...args, (error?: unknown) => passed.push(error)])).toBeUndefined();
  await new Promise((resolve) => setImmediate(resolve));
  return [passed, owned.length];
}

describe('middleware whose rejections are owned', () => {
  it('gets what it got, and fails by next', async () => {
    let given: unknown[] = [];
    const middleware = async (req: unknown, res: unknown, next: unknown): Promise<void> => {
      given = [req, res, typeof next];
      return Promise.reject(failure);
    };
    expect(await run(middleware as never, ['req', 'res'])).toEqual([[failure], 3]);
    expect(given).toEqual(['req', 'res', 'function']);
  });

  it('for errors stays middleware for errors', async () => {
    let given: unknown[] = [];
    const middleware = async (error: unknown, req: unknown, res: unknown, next: unknown): Promise<void> => {
      given = [error, req, res, typeof next];
      return Promise.reject(failure);
    };
    expect(await run(middleware as never, ['error', 'req', 'res'])).toEqual([[failure], 4]);
    expect(given).toEqual(['error', 'req', 'res', 'function']);
  });

  it.each([
    ['resolves', async () => Promise.resolve('done')],
    ['gives nothing', () => undefined],
    ['gives a value', () => 5],
  ])('that %s passes nothing on by itself', async (_what, middleware) => {
    expect(await run(middleware, ['req', 'res'])).toEqual([[], 3]);
  });

  it('throws what it throws at once: Express sees that', () => {
    const owned = ownRejections((() => {
      throw failure;
    }) as never) as () => unknown;
    expect(owned).toThrow(failure);
  });
});
