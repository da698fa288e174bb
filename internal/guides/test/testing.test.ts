import { rmSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { blocksOf } from './guide-text.ts';
import { runCommands, writeGuide } from './running-guide.ts';

const APP = `import { MemoryService } from '@framework/adapter-memory';
import { framework, type Application } from '@framework/core';

export function makeApp(): Application {
  const app: Application = framework();
  app.use('orders', new MemoryService());
  return app;
}
`;
const TEST = `import { NotFound } from '@framework/errors';
import { makeApp } from './app';

test('an order that there is not is 404', async () => {
  await expect(makeApp().service('orders').get(1)).rejects.toThrow(NotFound);
});
`;

it('the configuration for ts-jest runs tests of a CommonJS project in TypeScript', async () => {
  const config = blocksOf('testing').find(({ title }) => title === 'ts-jest');
  const folder = writeGuide({
    'package.json': '{"type":"commonjs"}',
    'jest.config.mjs': String(config?.code),
    'app.ts': APP,
    'app.test.ts': TEST,
  });
  const command = "NODE_OPTIONS=--experimental-vm-modules npx jest 2>&1 | grep '^Tests:'";
  const printed = await runCommands([command], folder, '').finally(() => rmSync(folder, { recursive: true }));
  expect(printed).toEqual(['Tests:       1 passed, 1 total']);
});
