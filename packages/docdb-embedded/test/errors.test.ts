import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document, MongoServerError } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it.each<[string, Document]>([
  ['InvalidLength', { insert: 'c', documents: [] }],
  ['EmptyFieldName', { findAndModify: 'c', update: { $set: { '': 1 } } }],
  ['QueryFeatureNotAllowed', { findAndModify: 'c', update: { $set: { 'a.$[x]': 1 } }, arrayFilters: [{ $expr: true }] }],
  ['APIStrictError', { distinct: 'c', key: 'a', apiVersion: '1', apiStrict: true }],
  ['APIVersionError', { ping: 1, apiVersion: '2' }],
])('an error has the name that MongoDB gives its code: %s', async (codeName, command) => {
  await expect(harness.db.command(command)).rejects.toMatchObject({ codeName });
});

it('an error is described before the times of the server, as clients print it', async () => {
  const failed: unknown = await harness.db.command({ find: 'c', filter: { $nothing: 1 } }).catch((error: unknown) => error);
  const fields = ['ok', 'errmsg', 'code', 'codeName', '$clusterTime', 'operationTime'];
  expect(Object.keys((failed as MongoServerError).errorResponse)).toEqual(fields);
});
