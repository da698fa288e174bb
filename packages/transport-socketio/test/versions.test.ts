import { describe, expect, it } from '@jest/globals';
import { checkVersions, FLOORS } from '../src/server/versions.ts';

describe('versions of what Socket.IO is made of', () => {
  it('that are installed here have no known holes', () => {
    expect(() => checkVersions()).not.toThrow();
  });

  it.each([
    ['engine.io', '6.6.9', true],
    ['engine.io', '6.6.10', false],
    ['engine.io', '6.6.10-beta.1', true],
    ['engine.io', '6.7.0', false],
    ['engine.io', '5.9.99', true],
    ['socket.io-parser', '4.2.6', true],
    ['socket.io-parser', '4.2.7', false],
    ['socket.io-parser', '4.10.0', false],
  ])('%s %s: refused %s, with what to install', (name, version, refused) => {
    const check = (): void => checkVersions((each) => (each === name ? version : String(FLOORS[each])));
    if (refused) expect(check).toThrow(`update to ${String(FLOORS[name])} or later`);
    else expect(check).not.toThrow();
  });
});
