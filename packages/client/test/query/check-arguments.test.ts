import { afterAll, expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/query-core';
import { createClient, rest, sse } from '../../src/index.ts';
import { findOptions, getOptions, liveQuery } from '../../src/query/index.ts';

const client = createClient(rest('http://127.0.0.1:1'), { events: sse('http://127.0.0.1:1') });
const notes = client.service('notes');
const cache = new QueryClient();
const services = { notes };
afterAll(() => client.close());

const liveCalls: readonly (readonly [string, readonly unknown[], RegExp])[] = [
  ['no client', [undefined, cache, { services }], /^liveQuery\(.* needs a client first$/],
  ['a function in the place of a client', [createClient, cache, { services }], /needs a client first$/],
  ['a cache and a client the wrong way round', [cache, client, { services }], /needs a client first$/],
  ['no cache', [client, undefined, { services }], /needs a QueryClient of TanStack Query second$/],
  ['no options', [client, cache], /needs options third$/],
  ['a misspelt option', [client, cache, { service: services }], /^liveQuery\(\) has no option 'service'\. It has services ids gather$/],
  ['no services', [client, cache, {}], /needs services by their paths$/],
  ['a list of services', [client, cache, { services: [notes] }], /needs services by their paths$/],
  ['the path of a service', [client, cache, { services: { notes: 'notes' } }], /^The service 'notes' .* client\.service\('notes'\)$/],
  ['no service', [client, cache, { services: { notes: undefined } }], /^The service 'notes' of liveQuery\(\)/],
  ['one name of an id for all', [client, cache, { services, ids: 'key' }], /^The option 'ids' of liveQuery\(\) has to be names by path: /],
  ['names of ids in a list', [client, cache, { services, ids: ['key'] }], /^The option 'ids' of liveQuery\(\) has to be names by path: /],
  ['an id without a name', [client, cache, { services, ids: { notes: '' } }], /^The option 'ids' .* has no name for 'notes'$/],
  ['a number for the name of an id', [client, cache, { services, ids: { notes: 1 } }], /^The option 'ids' .* has no name for 'notes'$/],
  ['an id of another service', [client, cache, { services, ids: { note: 'key' } }], /^The option 'ids' .* 'note', and 'services' has not$/],
  ...['50', -1, NaN, Infinity, 2 ** 31, null].map(
    (gather) =>
      [
        `${JSON.stringify(gather)} (${typeof gather}) to gather`,
        [client, cache, { services, gather }],
        /^The option 'gather' .* 2147483647$/,
      ] as const,
  ),
];

it.each(liveCalls)('liveQuery() says how to mend %s', (_, given, message) => {
  expect(() => Reflect.apply(liveQuery, undefined, given)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
  );
});

it('liveQuery() takes what is not said as its default, and ids by paths with slashes', () => {
  for (const options of [
    { services, ids: undefined, gather: undefined },
    { services: {}, ids: {} },
    { services, ids: { '/notes/': 'key' }, gather: 0 },
  ])
    expect(liveQuery(client, cache, options as never)).toEqual(expect.any(Function));
});

it.each([
  [findOptions, [notes, 'notes'], /^findOptions\(.* needs a path first$/],
  [findOptions, ['notes'], /^findOptions\(.* needs a service second$/],
  [findOptions, ['notes', { get: () => undefined }], /^findOptions\(.* needs a service second$/],
  [findOptions, ['notes', notes, 'all'], /^findOptions\(.* needs parameters as \{ query: \{\} \}$/],
  [findOptions, ['notes', notes, null], /needs parameters/],
  [findOptions, ['notes', notes, []], /needs parameters/],
  [getOptions, [notes, 'notes', 1], /^getOptions\(.* needs a path first$/],
  [getOptions, ['notes', undefined, 1], /^getOptions\(.* needs a service second$/],
  [getOptions, ['notes', notes, 1, 'all'], /^getOptions\(.* needs parameters/],
])('%o says what it has to be given in place of %j', (make, given, message) => {
  expect(() => Reflect.apply(make, undefined, given)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
  );
});
