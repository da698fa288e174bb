// lmdb prints each commit that fails, by the console of the test file that loaded it first, and some of them when that file has ended: Jest's own console
// would then fail the run.
import { format } from 'node:util';

console.error = (...args: unknown[]): void => {
  process.stderr.write(`${format(...args)}\n`);
};
