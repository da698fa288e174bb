import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder } from '../../src/files/make-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('a folder', () => {
  it('is made with those that it is in, and the outermost of them is told', () => {
    expect(makeFolder(join(root, 'a', 'b', 'c'))).toBe(join(root, 'a'));
    expect(statSync(join(root, 'a', 'b', 'c')).isDirectory()).toBe(true);
    expect(makeFolder(join(root, 'a', 'b', 'd'))).toBe(join(root, 'a', 'b', 'd'));
  });

  it('that is there stays as it is, also behind a link', () => {
    mkdirSync(join(root, 'there'));
    symlinkSync(join(root, 'there'), join(root, 'link'));
    expect(makeFolder(join(root, 'there'))).toBeUndefined();
    expect(makeFolder(join(root, 'link'))).toBeUndefined();
    expect(makeFolder('/')).toBeUndefined();
  });

  it('that can not be made is the error of the system, and leaves nothing behind', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'file', 'x'))).toThrow('ENOTDIR');
    expect(() => makeFolder(join(root, 'new', 'x'.repeat(300)))).toThrow('ENAMETOOLONG');
    expect(existsSync(join(root, 'new'))).toBe(false);
  });
});
