import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

/** In a process of its own, which ends by what nobody takes: inside of Jest, what is taken a few turns later is none. */
function run(hook: string): { status: number | null; printed: string } {
  const program = `
    import { framework } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href)};
    const turn = () => new Promise(setImmediate);
    const failing = [async () => { throw new Error('no item'); }, () => turn().then(() => Promise.reject(new Error('no item')))];
    for (const get of failing) {
      const app = framework().use('items', { get });
      app.service('items').hooks([${hook}]);
      for (const id of [1, 2, 3]) await app.service('items').get(id).catch(({ message }) => console.log(message));
      await turn();
    }`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

it('an around hook may wait for something else before it waits for what it has begun, which fails meanwhile', () => {
  const late = 'async (context, next) => { const rest = next(); await turn(); await turn(); await rest; }';
  expect(run(late)).toEqual({ status: 0, printed: 'no item\n'.repeat(6) });
});
