import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { refuseOldNode } from '../src/node-version.ts';

describe('a version of Node.js', () => {
  it.each(['18.20.8', '20.18.3', '21.7.3', '22.0.0', '22.11.0'])('%s is refused with what to do', (version) => {
    expect(() => {
      refuseOldNode(version);
    }).toThrow(`Applications need Node.js 20.19, or 22.12 and newer, and this is ${version}: install a newer one, and call this again`);
  });

  it.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.0.0', '26.10.0', '100.0.0'])('%s is taken', (version) => {
    expect(() => {
      refuseOldNode(version);
    }).not.toThrow();
  });

  it('is one that the package says it runs on', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe('^20.19.0 || >=22.12.0');
  });
});
