import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { openapi, openapiDocument } from '../src/index.ts';

const any = (value: unknown): never => value as never;

describe('options of openapi()', () => {
  it.each<[string, unknown, string]>([
    ['an unknown option', { infos: {} }, "openapi() has no option 'infos'. Did you mean 'info'? It has info, servers"],
    ['no object', null, 'openapi() takes an object of options'],
    ['info without a version', { info: { title: 'A' } }, "needs a title and a version, for example { title: 'Cities', version: '1.0.0' }"],
    ['an unknown part of info', { info: { title: 'A', version: '1', owner: 'me' } }, "has no 'owner'"],
    ['no servers', { servers: [] }, 'has to be a list of { url }'],
    ['servers as text', { servers: 'https://example.com' }, 'has to be a list of { url }'],
    ['another version', { version: '3.0' }, "is '3.1' or '3.2', the version of OpenAPI"],
    ['a path with a placeholder', { path: ':a/openapi.json' }, 'has to be a path of letters'],
    ['a path of nothing', { path: '/' }, 'has to be a path of letters'],
    ['another page', { ui: 'swager' }, "The option 'ui' of openapi() is one of rapidoc, swagger, scalar, redoc"],
    ['a page with another option', { ui: { use: 'rapidoc', prod: true } }, "The option 'ui' of openapi()"],
    ['a viewer that is no object', { viewer: 'admin' }, 'has to be an object of parameters'],
    ['a listener that is no function', { onWarning: true }, 'has to be a function'],
  ])('refuses %s', (_what, options, message) => {
    expect(() => openapi(any(options))).toThrow(message);
  });

  it('refuses what is no application', async () => {
    expect(() => openapi()(any({}))).toThrow('is configured on an application');
    await expect(openapiDocument(any(undefined))).rejects.toThrow('needs an application');
    await expect(openapiDocument(any({}))).rejects.toThrow('needs an application');
    await expect(openapiDocument(framework(), any({ versions: '3.1' }))).rejects.toThrow("no option 'versions'");
  });

  it('refuses a path that is taken', () => {
    const app = framework();
    app.use('openapi.json', { find: async () => [] });
    expect(() => app.configure(openapi())).toThrow('Path openapi.json already exists');
  });
});

describe('the option docs of a service', () => {
  const with_ = (docs: unknown): Promise<unknown> => {
    const app = framework();
    app.use('notes', { find: async () => [], archive: async () => ({}) }, { methods: ['find', 'archive'], docs: any(docs) });
    app.configure(openapi({ onWarning: () => undefined }));
    return app.setup();
  };

  it.each<[string, unknown, string]>([
    [
      'an operation that there is not',
      { operations: { get: {} } },
      "The option 'docs' of 'notes' describes the operation 'get', which there is not. Transports may call find, archive",
    ],
    [
      'an unknown name',
      { descriptions: 'x' },
      "The option 'docs' of 'notes' has no 'descriptions'. It has summary, description, tags, operations",
    ],
    ['an unknown name of an operation', { operations: { find: { sumary: 'x' } } }, "operation 'find', has no 'sumary'"],
    ['a text that is none', { summary: 5 }, "takes a text for 'summary'"],
    [
      'a status that is none',
      { operations: { find: { errors: [200] } } },
      "operation 'find', takes a list of statuses from 400 to 599 for 'errors'",
    ],
    ['a schema that is none', { operations: { archive: { data: 'text' } } }, "takes a schema for 'data'"],
    ['true', true, "The option 'docs' of 'notes' has to be false or an object"],
  ])('refuses %s at start', async (_what, docs, message) => {
    await expect(with_(docs)).rejects.toThrow(message);
  });

  it('is checked when a service comes later', async () => {
    const app = framework();
    app.configure(openapi());
    await app.setup();
    expect(() => app.use('notes', { find: async () => [] }, { docs: any({ operations: { create: {} } }) })).toThrow(
      "describes the operation 'create'",
    );
    expect(Object.keys(app.services)).toEqual(['openapi.json']);
  });

  it('refuses two operations of one name', async () => {
    const app = framework();
    const docs = { operations: { find: { operationId: 'all' } } };
    app.use('a', { find: async () => [] }, { docs }).use('b', { find: async () => [] }, { docs });
    await expect(openapiDocument(app, { onWarning: () => undefined })).rejects.toThrow("Two operations have the operationId 'all'");
  });
});
