import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { blocksOf, filesOf, guideNames, runsOf } from './guide-text.ts';
import { runCommands, startGuide, writeGuide } from './running-guide.ts';

/** `…` in a guide stands for what is another each time. */
function pattern(line: string): RegExp {
  return new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*?')}$`,
  );
}

const guides = guideNames.filter((name) => runsOf(blocksOf(name)).some(({ output }) => output !== undefined));

it('there are guides that say what their commands print', () => {
  expect(guides.length).toBeGreaterThan(5);
});

describe.each(guides)('the guide %s', (name) => {
  const blocks = blocksOf(name);
  const files = filesOf(blocks);

  it('its commands print what it says', async () => {
    const runs = runsOf(blocks);
    const commands = runs.map(({ command }) => command);
    const { 'app.js': application, ...others } = files;
    let printed: string[];
    if (application === undefined) {
      const folder = writeGuide(others);
      printed = await runCommands(commands, folder, '').finally(() => rmSync(folder, { recursive: true }));
    } else {
      const running = await startGuide(application, { PORT: '0', AUTH_SECRET: randomBytes(48).toString('base64') }, others);
      try {
        printed = await runCommands(commands, running.folder, running.url);
      } finally {
        await running.stop();
      }
    }
    expect(printed).toHaveLength(runs.length);
    for (const [index, { output }] of runs.entries()) {
      if (output === undefined) continue;
      const lines = String(printed[index]).split('\n');
      const said = output.trim().split('\n');
      for (const [at, line] of said.entries()) expect(String(lines[at])).toMatch(pattern(line));
      expect(lines).toHaveLength(said.length);
    }
  });

  it('it tells its reader to install the packages that its code imports', () => {
    const install = String(blocks.find(({ title }) => title === 'install')?.code);
    const used = Object.values(files).flatMap((code) => [...code.matchAll(/from '([^'.][^']*)'/g)].map((match) => String(match[1])));
    const missing = used
      .filter((specifier) => !specifier.startsWith('node:'))
      .filter((specifier) => !install.split(/\s+/).includes(specifier));
    expect(missing).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
  });
});
