import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findInstalled, loadInstalled } from '../src/index.ts';

const { argv } = process;
let folder: string;

/** A folder with a package installed in it. @returns a module there, which need not exist */
function placeWith(name: string, exported: string): string {
  const installed = join(folder, exported, 'node_modules', name);
  mkdirSync(join(installed, 'parts'), { recursive: true });
  writeFileSync(join(installed, 'index.js'), `module.exports = '${exported}';`);
  writeFileSync(join(installed, 'parts', 'one.js'), `module.exports = 'a part of ${exported}';`);
  return join(folder, exported, 'asks.js');
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')));
});
afterEach(() => {
  process.argv = argv;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a package that is loaded when it is needed', () => {
  it('is the one beside the module that asks, by its address', () => {
    const [asks, other] = [placeWith('needed', 'beside the module'), placeWith('needed', 'beside the program')];
    process.argv = ['node', other];
    const address = pathToFileURL(asks).href;
    expect(findInstalled('needed', address, 'owner')).toBe(join(folder, 'beside the module/node_modules/needed/index.js'));
    expect(loadInstalled('needed', address, 'owner')).toBe('beside the module');
    expect(loadInstalled('needed/parts/one.js', address, 'owner')).toBe('a part of beside the module');
  });

  it('is the one beside the program where a module has no address, or nothing beside it', () => {
    process.argv = ['node', placeWith('@scope/needed', 'program')];
    expect(loadInstalled('@scope/needed', undefined, 'owner')).toBe('program');
    expect(loadInstalled('@scope/needed', pathToFileURL(join(folder, 'nothing/asks.js')).href, 'owner')).toBe('program');
  });

  it.each([
    ['missing', 'missing'],
    ['missing/parts/one.js', 'missing'],
    ['@scope/missing', '@scope/missing'],
    ['@scope/missing/parts/one.js', '@scope/missing'],
  ])('is asked for, where it is at neither place: %s', (name, named) => {
    process.argv = ['node', join(folder, 'program.js')];
    const told = `'${name}' can not be found. Where the program is a bundle, leave 'owner' out of it (external), or install '${named}' beside it`;
    for (const address of [undefined, pathToFileURL(join(folder, 'asks.js')).href])
      expect(() => loadInstalled(name, address, 'owner')).toThrow(
        expect.objectContaining({ message: told, cause: expect.objectContaining({ code: 'MODULE_NOT_FOUND' }) }),
      );
  });

  it('is asked for where a program has no file either', () => {
    process.argv = ['node'];
    expect(() => findInstalled('missing', undefined, 'owner')).toThrow(expect.objectContaining({ cause: undefined }));
  });
});
