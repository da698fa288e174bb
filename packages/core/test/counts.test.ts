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
    const { stdout } = await run(process.execPath, ['--expose-gc', '--min-semi-space-size=32', script]);
    const { none, around: four, regular } = JSON.parse(stdout) as Record<string, number>;
    expect({ none: none! <= 1200, four: four! <= 3500, regular: regular! <= 1500, stdout }).toEqual({
      none: true,
      four: true,
      regular: true,
      stdout,
    });
  });
});
