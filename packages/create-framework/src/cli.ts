import { CommandError } from './command-error.ts';
import { main } from './main.ts';

main(process.argv.slice(2), { env: process.env, input: process.stdin, output: process.stdout, cwd: process.cwd() }).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof CommandError ? error.message : error);
    process.exitCode = error instanceof CommandError ? 2 : 1;
  },
);
