// Jest's `globalSetup` for packages with many test files on a database: one embedded database for all of them, in a process of its own that ends with this
// one. Each file has a database of its own name in it; loading the server into every file would cost more than the tests.
import buildBeforeTests from './build-before-tests.mjs';

export default async function databaseBeforeTests(global, project) {
  const { DOCDB, DOCDB_URL } = process.env;
  if (DOCDB === 'real' || (DOCDB_URL && DOCDB !== 'embedded')) return;
  buildBeforeTests(global, project);
  const { DocDbServer } = await import('../packages/docdb-embedded/dist/index.js');
  globalThis.databaseOfTests = await DocDbServer.spawn({ sync: 'never' });
  process.env.DOCDB_OF_TESTS = globalThis.databaseOfTests.uri;
}
