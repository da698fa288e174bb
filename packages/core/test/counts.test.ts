import { createHook } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { framework, type HookContext, type NextFunction } from '../src/index.ts';

// Figures that do not depend on the machine. A change that raises one has to say why here.

/** @returns how many promises a piece of work makes */
async function promisesOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

function serviceWith(hooks: object): { get(id: number, params: object): Promise<unknown> } {
  const app = framework();
  app.use('items', { get: async (id: number) => ({ id }) });
  const service = app.service('items');
  service.hooks(hooks);
  return service as { get(id: number, params: object): Promise<unknown> };
}

const around = async (_context: HookContext, next: NextFunction): Promise<void> => {
  await next();
};
const plain = (): void => undefined;

const isAbove = (bytes: Readonly<Record<string, number>>, most: Readonly<Record<string, number>>): boolean =>
  Object.entries(most).some(([name, limit]) => bytes[name]! > limit);

describe('what a call costs', () => {
  it.each([
    // The method's own, that of the call, and one for each await.
    ['no hooks', {}, 5],
    ['2 + 2 synchronous before and after hooks', { before: { all: [plain, plain] }, after: { all: [plain, plain] } }, 7],
    ['4 around hooks', { around: { all: [around, around, around, around] } }, 15],
  ])('makes few promises: %s', async (_title, hooks, limit) => {
    const service = serviceWith(hooks);
    expect(await promisesOf(() => service.get(1, {}))).toBeLessThanOrEqual(limit);
  });

  it('allocates few bytes', async () => {
    const script = fileURLToPath(new URL('./fixtures/bytes.mjs', import.meta.url));
    const run = promisify(execFile);
    const most: Readonly<Record<string, number>> = { none: 1200, around: 3500, regular: 1500 };
    let fewest: Record<string, number> = { none: Infinity, around: Infinity, regular: Infinity };
    // What is inlined, and so what is allocated, depends on when a busy machine comes to compiling: of seventeen processes one counted more than it may.
    for (let attempt = 0; attempt < 3 && isAbove(fewest, most); attempt++) {
      const { stdout } = await run(process.execPath, ['--expose-gc', '--min-semi-space-size=32', script]);
      const counted = JSON.parse(stdout) as Record<string, number>;
      fewest = Object.fromEntries(Object.entries(fewest).map(([name, bytes]) => [name, Math.min(bytes, counted[name] ?? Infinity)]));
    }
    expect([isAbove(fewest, most), fewest]).toEqual([false, fewest]);
  });
});
