import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadApplication } from '../../src/index.ts';

const file = (name: string): string => fileURLToPath(new URL(`../fixtures/applications/${name}.mjs`, import.meta.url));

describe('loadApplication', () => {
  it.each([
    ['the export app', 'named', undefined, 'app'],
    ['the default export, where there is no other', 'unnamed', undefined, 'unnamed'],
    ['the export of a name', 'named', 'default', 'default'],
    ['what a function gives', 'named', 'made', 'made'],
    ['what a function promises', 'named', 'later', 'later'],
    ['an application that is a function, which is not called', 'named', 'express', 'express'],
  ])('loads %s', async (_what, module, name, service) => {
    expect(Object.keys((await loadApplication(file(module), name)).services)).toEqual([service]);
  });

  it('takes a path from the folder of the process', async () => {
    const loaded = await loadApplication(relative(process.cwd(), file('named')));
    expect(Object.keys(loaded.services)).toEqual(['app']);
  });

  it('says that there is no such module', async () => {
    await expect(loadApplication('dist/nowhere.js')).rejects.toThrow(
      new Error('There is no dist/nowhere.js: correct the path, or build the application first'),
    );
  });

  it('says which export is missing, and which there are', async () => {
    const named = file('named');
    await expect(loadApplication(named, 'wrongName')).rejects.toThrow(
      `${named} has no export 'wrongName': export the application, or name one of app, default, `,
    );
    const other = file('other');
    await expect(loadApplication(other)).rejects.toThrow(
      new Error(`${other} has no export 'app' and no default export: export the application, or name one of settings by --export`),
    );
    const empty = file('empty');
    await expect(loadApplication(empty)).rejects.toThrow(
      new Error(`${empty} has no export 'app' and no default export: export the application`),
    );
  });

  it.each([['nothing'], ['text'], ['without'], ['wrong']])('says that it is no application: %s', async (name) => {
    const named = file('named');
    await expect(loadApplication(named, name)).rejects.toThrow(new Error(`${named} exports no application: what it gives has no services`));
  });
});
