// Jest's `globalTeardown` beside database-before-tests.mjs.
export default async function databaseAfterTests() {
  await globalThis.databaseOfTests?.stop();
  delete process.env.DOCDB_OF_TESTS;
}
