import { CommandError } from './command-error.ts';
import { main } from './main.ts';
import { refuseOldNode } from './node-version.ts';

async function run(): Promise<number> {
  refuseOldNode(process.versions.node);
  return main(process.argv.slice(2), { env: process.env, input: process.stdin, output: process.stdout, cwd: process.cwd() });
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof CommandError ? error.message : error);
    process.exitCode = error instanceof CommandError ? 2 : 1;
  },
);
