import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { DocDbService } from '@framework/adapter-docdb';
import { checkPrecondition, framework, type Params } from '@framework/core';
import { NotFound } from '@framework/errors';
import type { RequestHandler } from 'express';
import express, { json, rest, type Application } from '../src/index.ts';
import { listen, send, sendJson, start, type Answer, type Running } from './harness.ts';

/** A service in memory that counts its versions. */
class Notes {
  readonly version = 'rev';
  readonly rows = new Map<string, { id: string; text: string; rev: number }>();

  async get(id: string) {
    return { ...this.one(id) };
  }
  async create(data: { id: string; text: string }) {
    this.rows.set(data.id, { ...data, rev: 1 });
    return this.get(data.id);
  }
  async update(id: string, data: { text: string }, params: Params) {
    checkPrecondition(params.precondition, this.rows.get(id), this.version);
    this.rows.set(id, { id, text: data.text, rev: this.one(id).rev + 1 });
    return this.get(id);
  }
  async remove(id: string, params: Params) {
    checkPrecondition(params.precondition, this.rows.get(id), this.version);
    const row = this.one(id);
    this.rows.delete(id);
    return row;
  }
  async patch(id: string | null, data: { text?: string }, params: Params) {
    return id === null ? [] : this.update(id, { text: data.text ?? '' }, params);
  }
  one(id: string) {
    const row = this.rows.get(id);
    if (!row) throw new NotFound();
    return row;
  }
}

const takeVersion: RequestHandler = (req, _res, next) => {
  const [, version] = /^"(\w+)"$/.exec(req.headers['if-match'] ?? '') ?? [];
  if (version !== undefined) req.framework = { ...req.framework, precondition: { versions: [version] } };
  delete req.headers['if-match'];
  next();
};

let database: TestDatabase;
let running: Running;
let url: string;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
  running = await start((app) => {
    app.use('notes', new Notes(), { conditional: true });
    app.use('plain', new Notes());
    app.use('own', takeVersion, new Notes());
    app.use('strict', new Notes(), { conditional: 'required' });
    app.use('records', new DocDbService({ Model: database.db.collection('records'), version: '_version', multi: true }), {
      conditional: true,
    });
  });
  url = running.url;
});
afterAll(async () => {
  await running.stop();
  await database.close();
});

async function made(path: string, id: string): Promise<{ etag: string; answer: Answer; at: string }> {
  const answer = await sendJson(url, 'POST', path, path === '/records' ? { text: 'first', more: 1 } : { id, text: 'first' });
  return { etag: String(answer.headers.etag), answer, at: String(answer.headers.location) };
}

describe.each(['/notes', '/records'])('conditional requests to %s', (path) => {
  it('have a strong tag for a single record, the same for create and get, another after each write', async () => {
    const { etag, at } = await made(path, 'a');
    expect(etag).toMatch(/^"[\w-]+\.[\w-]{22}"$/);
    expect((await send(url, at)).headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
    expect((await send(url, at, { method: 'HEAD' })).headers.etag).toBe(etag);
    const same = await sendJson(url, 'PATCH', at, { text: 'first' });
    expect(same.headers).toMatchObject({ 'content-location': at });
    expect(same.headers.etag).not.toBe(etag);
    expect((await send(url, at)).headers.etag).toBe(same.headers.etag);
    expect((await sendJson(url, 'PUT', at, { text: 'second' })).headers.etag).not.toBe(same.headers.etag);
    expect((await send(url, at, { method: 'DELETE' })).headers.etag).toBeUndefined();
  });

  it('answer 304 without a body while the client has the present record', async () => {
    const { etag, at } = await made(path, 'b');
    for (const given of [etag, `W/${etag}`, '*', `"x", ${etag}`, `"x",W/${etag},"y"`]) {
      const answer = await send(url, at, { headers: { 'if-none-match': given } });
      expect([given, answer.status, answer.text]).toEqual([given, 304, '']);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
      expect(answer.headers.vary).toContain('Authorization');
      expect(answer.headers['content-type']).toBeUndefined();
    }
    expect((await send(url, at, { method: 'HEAD', headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await send(url, at, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    await sendJson(url, 'PATCH', at, { text: 'second' });
    expect(await send(url, at, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 200, body: { text: 'second' } });
  });

  it('write with If-Match only while the record is as it was, else 412, and nothing is written', async () => {
    const { etag, at } = await made(path, 'c');
    expect((await send(url, at, { headers: { 'if-match': '"x"' } })).status).toBe(412);
    expect((await send(url, at, { headers: { 'if-match': etag } })).status).toBe(200);
    const changed = await sendJson(url, 'PATCH', at, { text: 'second' }, { 'if-match': `"x", ${etag}` });
    expect(changed).toMatchObject({ status: 200, body: { text: 'second' } });
    for (const given of [etag, `W/${String(changed.headers.etag)}`, '"x"', '"."', '']) {
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const answer = await sendJson(url, method, at, { text: 'third' }, { 'if-match': given });
        expect([method, given, answer.status]).toEqual([method, given, 412]);
        expect(answer.body).toMatchObject({ name: 'PreconditionFailed', className: 'precondition-failed' });
        expect(answer.headers.etag).toBeUndefined();
      }
    }
    expect((await send(url, at)).body).toMatchObject({ text: 'second' });
    expect((await sendJson(url, 'PUT', at, { text: 'third' }, { 'if-match': '*' })).status).toBe(200);
    const last = (await send(url, at)).headers.etag;
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-none-match': String(last) })).status).toBe(412);
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-none-match': '*' })).status).toBe(412);
    expect((await sendJson(url, 'PATCH', at, { text: 'fourth' }, { 'if-none-match': etag })).status).toBe(200);
    expect((await send(url, at, { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(200);
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      expect((await sendJson(url, method, at, { text: 'x' }, { 'if-match': '*' })).status).toBe(412);
  });

  it('refuse headers that can not be read, and conditions on several records', async () => {
    const { at } = await made(path, 'd');
    for (const given of ['abc', '"a" "b"', "'a'", '"a', '*, "a"', 'w/"a"', Array.from({ length: 101 }, () => '"a"').join(',')]) {
      expect([given, (await sendJson(url, 'PATCH', at, {}, { 'if-match': given })).status]).toEqual([given, 400]);
      expect([given, (await send(url, at, { headers: { 'if-none-match': given } })).status]).toEqual([given, 400]);
    }
    const several = await sendJson(url, 'PATCH', path, { text: 'x' }, { 'if-match': '*' });
    expect(several).toMatchObject({ status: 412, body: { message: expect.stringContaining('change them one by one') } });
    expect((await send(url, at)).body).toMatchObject({ text: 'first' });
  });

  it('let one of many writers with the same tag win', async () => {
    const { etag, at } = await made(path, 'e');
    const writers = Array.from({ length: 20 }, (_, index) => sendJson(url, 'PATCH', at, { text: String(index) }, { 'if-match': etag }));
    const statuses = (await Promise.all(writers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
  });
});

it.each(['require', 'Required', 'true', 'false', 1, null, {}])('conditions are refused at start for what is no condition: %j', (given) => {
  const conditional = given as never;
  const [app, core] = [express(framework()), framework()];
  const message = "The option 'conditional' of 'notes' has to be true, false or 'required'";
  expect(() => app.use('notes', new Notes(), { conditional })).toThrow(message);
  expect(() => core.use('notes', new Notes(), { conditional })).toThrow(message);
  expect([app.lookup('notes'), core.lookup('notes')]).toEqual([null, null]);
});

describe('conditional requests', () => {
  it('are decided in the one command that writes', async () => {
    const { etag, at } = await made('/records', '');
    const commands: string[] = [];
    database.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-match': etag });
    await sendJson(url, 'PUT', at, { text: 'x' }, { 'if-match': etag });
    await send(url, at, { method: 'DELETE', headers: { 'if-match': etag } });
    await send(url, at, { headers: { 'if-none-match': etag } });
    database.client.removeAllListeners('commandStarted');
    expect(commands).toEqual(['findAndModify', 'findAndModify', 'findAndModify', 'find']);
  });

  it('hold for one representation: what is selected has a tag of its own', async () => {
    const { etag, at } = await made('/records', '');
    const selected = await send(url, `${at}?$select[]=text`);
    expect(selected.headers.etag).not.toBe(etag);
    expect(Object.keys(selected.body).sort()).toEqual(['_id', '_version', 'text']);
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-match': String(selected.headers.etag) })).status).toBe(200);
  });

  it('S10 the version is not for callers to set', async () => {
    const { answer, at } = await made('/records', '');
    const patched = await sendJson(url, 'PATCH', at, { _version: 'mine', text: 'y' });
    expect([answer.body._version, 'mine']).not.toContain(patched.body._version);
    expect((await sendJson(url, 'PUT', at, { _version: 'mine' })).body._version).not.toBe('mine');
    expect((await sendJson(url, 'POST', '/records', { _version: 'mine' })).body._version).not.toBe('mine');
  });

  it('work for records from before the versions', async () => {
    await database.db.collection('records').insertOne({ _id: 'old' as never, text: 'a' });
    const { etag } = (await send(url, '/records/old')).headers;
    expect(etag).toMatch(/^"\./);
    const statuses = await Promise.all(
      [1, 2, 3].map(() => sendJson(url, 'PATCH', '/records/old', { text: 'b' }, { 'if-match': String(etag) })),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  it('are off by default: a write with one is 412, and nothing is written', async () => {
    const { answer, at } = await made('/plain', 'a');
    expect(answer.headers.etag).toBeUndefined();
    // What is left is Express's own weak tag for reads.
    expect((await send(url, at)).headers.etag).toMatch(/^W\//);
    expect((await send(url, at, { headers: { 'if-match': '"x"' } })).status).toBe(200);
    const weak = String((await send(url, at)).headers.etag);
    for (const condition of [
      { 'if-match': '"x"' },
      { 'if-match': weak },
      { 'if-match': '*' },
      { 'if-none-match': '*' },
      { 'if-match': 'x' },
    ]) {
      const message = expect.stringContaining('leave If-Match and If-None-Match out');
      for (const method of ['PATCH', 'PUT', 'DELETE'])
        expect(await sendJson(url, method, at, { text: 'x' }, condition)).toMatchObject({ status: 412, body: { message } });
      expect(await sendJson(url, 'PATCH', '/plain', { text: 'x' }, condition)).toMatchObject({ status: 412, body: { message } });
    }
    expect((await send(url, at)).body).toEqual({ id: 'a', text: 'first', rev: 1 });
  });

  it.each(['/notes', '/plain', '/strict'])('can not hold for a record that is created: 412, and nothing is (%s)', async (path) => {
    for (const condition of [{ 'if-match': '"x"' }, { 'if-match': '*' }, { 'if-none-match': '*' }, { 'if-match': 'x' }])
      expect(await sendJson(url, 'POST', path, { id: 'of-a-condition' }, condition)).toMatchObject({
        status: 412,
        body: { message: expect.stringMatching(/^A new record has no ETag .* leave If-Match and If-None-Match out$/) },
      });
    expect((await send(url, `${path}/of-a-condition`)).status).toBe(404);
  });

  it('are left to middleware of the service that takes the headers away', async () => {
    const { at } = await made('/own', 'a');
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-match': '"2"' })).status).toBe(412);
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-match': '"1"' })).body).toEqual({ id: 'a', text: 'x', rev: 2 });
  });

  it('can be required: 428 for a write without one', async () => {
    const { etag, at } = await made('/strict', 'a');
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      expect(await sendJson(url, method, at, { text: 'x' })).toMatchObject({ status: 428, body: { name: 'PreconditionRequired' } });
    const several = await sendJson(url, 'PATCH', '/strict', { text: 'x' });
    expect(several).toMatchObject({ status: 428, body: { message: expect.stringContaining('change them one by one') } });
    expect((await sendJson(url, 'PATCH', at, { text: 'x' }, { 'if-match': etag })).status).toBe(200);
  });

  it('need a service with versions', () => {
    const app = express(framework());
    expect(() => app.use('a', { get: async () => ({}) }, { conditional: true })).toThrow(/'version'/);
  });

  it('S41 keep what belongs to a user from shared caches', async () => {
    const app = express(framework()) as Application;
    app.use(json());
    app.use((req, _res, next) => {
      req.framework = { ...req.framework, user: { id: 1 } };
      next();
    });
    app.configure(rest((_req, res) => res.format({ json: () => res.json(res.data), text: () => res.send('a record') })));
    app.use('notes', new Notes(), { conditional: true });
    await app.service('notes').create({ id: 'a', text: 'x' });
    const other = await listen(app);
    const asJson = await send(other.url, '/notes/a');
    expect(asJson.headers['cache-control']).toBe('private, no-cache');
    const asText = await send(other.url, '/notes/a', { headers: { accept: 'text/plain' } });
    expect(asText.text).toBe('a record');
    // One tag for one representation, also with a formatter that negotiates.
    expect(asText.headers.etag).not.toBe(asJson.headers.etag);
    await other.stop();
  });
});
