import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('fixtures/held-channel.mjs', import.meta.url));

it('tells that all have ended by their exit codes, also before their channels are closed', async () => {
  const primary = spawn(process.execPath, [program]);
  const exited = new Promise((resolve) => primary.once('exit', resolve));
  let output = '';
  let holder = 0;
  for await (const chunk of primary.stdout) {
    output += String(chunk);
    if (holder === 0 && /Held by \d+\n/.test(output)) {
      holder = Number(/Held by (\d+)/.exec(output)?.[1]);
      primary.kill('SIGTERM');
    }
    if (output.includes('All have ended')) break;
  }
  // The program that has the channel is still there.
  expect(() => process.kill(holder, 'SIGKILL')).not.toThrow();
  expect(await exited).toBe(0);
});
