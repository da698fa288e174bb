import { framework } from '@framework/core';
import { afterEach, expect, it, jest } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ObjectIdSchema, serviceSchema, Type, type JSONSchema } from '../../src/index.ts';
import { objectIdAjv } from './harness.ts';

const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void warned.mockClear());

/** What is told where a service gives new records an id, one by one and as a list. */
async function told(described: JSONSchema, id: unknown): Promise<unknown[]> {
  const app = framework();
  const service = {
    id: 'key',
    create: (data: object): Promise<object> => Promise.resolve(Array.isArray(data) ? data.map(() => ({ key: id })) : { key: id }),
  };
  const record = { type: 'object', properties: { key: described, text: { type: 'string' } } } as const;
  app.use('notes', service, { schema: serviceSchema({ record, ajv: objectIdAjv() }) });
  await app.setup();
  for (const data of [[{ text: 'a' }], { text: 'b' }]) await app.service('notes').create(data as never);
  return warned.mock.calls.map(([text]) => text);
}

it.each<[what: string, described: JSONSchema, id: unknown, kinds: string, type: string]>([
  ['a number where it says text', { type: 'string' }, 0, 'text', 'number'],
  ['a text where it says a number', { type: 'integer' }, 'a1', 'number', 'text'],
  ['an object id where it says a number', { type: ['integer', 'null'] }, new ObjectId(), 'number', 'object id'],
  ['a number where it says an object id', ObjectIdSchema(), 5, 'object id', 'number'],
  ['a text where it says an object id', ObjectIdSchema(), 'a1', 'object id', 'text'],
])('a new record whose id is %s is told of, once', async (_what, described, id, kinds, type) => {
  expect(await told(described, id)).toEqual([
    `The record of 'notes' describes its id 'key' as ${kinds}, and a new record has one of type ${type}, which conditions and relations do not find: ` +
      "describe what the service makes, or give new records what is described, by the option 'createId' of services in memory or a resolver of data",
  ]);
});

it.each<[what: string, described: JSONSchema, id: unknown]>([
  ['what it says', Type.String(), 'a'],
  ['the text of an object id', ObjectIdSchema(), new ObjectId().toHexString()],
  ['an object id where it says text, which it is sent as', Type.String(), new ObjectId()],
  ['one of two types', Type.Union([Type.Integer(), Type.String()]), 'a'],
  ['anything where nothing is said', {}, 5],
  ['not there', Type.String(), undefined],
])('a new record whose id is %s is not', async (_what, described, id) => {
  expect(await told(described, id)).toEqual([]);
});
