import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import originalExpress from 'express';
import express, { notFound, rest } from '../src/index.ts';

const notes = { find: async (): Promise<string[]> => [], get: async (id: unknown): Promise<unknown> => id };

let warning: jest.SpiedFunction<typeof process.emitWarning>;

beforeEach(() => {
  warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(() => {
  warning.mockRestore();
});

async function ask(app: object, ...paths: string[]): Promise<number[]> {
  const server = createServer(app as RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const statuses: number[] = [];
  for (const path of paths)
    statuses.push((await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`)).status);
  server.closeAllConnections();
  server.close();
  return statuses;
}

const told = (path: string, service: string): unknown[] => [
  `GET ${path} was answered with 404, and there is a service '${service}': no transport answers requests for services. Add app.configure(rest())`,
  { code: 'NO_REST' },
];

describe('an application without rest()', () => {
  it('warns, once, of a request for a service that nothing answers', async () => {
    const app = express(framework()).use('notes', notes);
    expect(await ask(app, '/other', '/notes/7?a=1', '/notes')).toEqual([404, 404, 404]);
    expect(warning.mock.calls).toEqual([told('/notes/7', 'notes')]);
  });

  it('warns where notFound() answers too, and in an application that plain Express hands requests on to', async () => {
    const app = express(framework()).use('notes', notes);
    app.use(notFound());
    const outer = originalExpress().use('/api', app as never);
    expect(await ask(outer, '/notes', '/api/notes')).toEqual([404, 404]);
    expect(warning.mock.calls).toEqual([told('/notes', 'notes')]);
  });

  it('says nothing where something else answers, or the path is none', async () => {
    const app = express(framework()).use('notes/:id/lines', notes);
    app.get('/notes/1/lines', (_req, res) => void res.json([]));
    expect(await ask(app, '/notes/1/lines', '/notes/%zz/lines')).toEqual([200, 404]);
    expect(warning).not.toHaveBeenCalled();
  });

  it('is not what an application with rest() is, whose services answer 404 themselves', async () => {
    const app = express(framework()).configure(rest()).use('notes', { find: notes.find });
    expect(await ask(app, '/notes', '/notes/1/2', '/none')).toEqual([200, 404, 404]);
    expect(warning).not.toHaveBeenCalled();
  });
});
