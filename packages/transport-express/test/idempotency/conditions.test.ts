import type { Params } from '@framework/core';
import { PreconditionFailed } from '@framework/errors';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idempotent } from '../../src/index.ts';
import { send, sendJson, start, type Answer, type Running } from '../harness.ts';

/** One record with a version. */
class Versioned {
  readonly version = 'rev';
  readonly made: unknown[] = [];
  #state = { id: '1', text: 'first', rev: 'a' };

  async get(): Promise<object> {
    return { ...this.#state };
  }

  async patch(_id: string, data: { text: string }, { precondition }: Params = {}): Promise<object> {
    const versions = precondition?.versions ?? '*';
    if (versions !== '*' && !versions.includes(this.#state.rev)) throw new PreconditionFailed('changed');
    this.made.push(data.text);
    this.#state = { ...this.#state, ...data, rev: `${this.#state.rev}a` };
    return { ...this.#state };
  }
}

let running: Running;
let service: Versioned;
beforeAll(async () => {
  service = new Versioned();
  running = await start((app) => {
    app.use('notes', service, { conditional: true });
    app.service('notes').hooks({ around: { all: [idempotent()] } });
  });
});
afterAll(() => running.stop());

const patch = (key: string, text: string, condition: Record<string, string>, id = '1'): Promise<Answer> =>
  sendJson(running.url, 'PATCH', `/notes/${id}`, { text }, { 'idempotency-key': key, ...condition });

it('a write with the key of one that had another condition is another one: 422, and not what the first came to', async () => {
  const { etag: old = '' } = (await send(running.url, '/notes/1')).headers;
  expect((await patch('key-of-theirs-000', 'theirs', {})).status).toBe(200);
  expect((await patch('key-of-mine-00000', 'mine', { 'if-match': old })).status).toBe(412);
  const { etag: now = '' } = (await send(running.url, '/notes/1')).headers;
  expect((await patch('key-of-mine-00000', 'mine', { 'if-match': old })).status).toBe(412);
  for (const condition of [{ 'if-match': now }, {}, { 'if-none-match': old }]) {
    expect(await patch('key-of-mine-00000', 'mine', condition)).toMatchObject({
      status: 422,
      body: { message: 'This Idempotency-Key was sent with another call: make a new one for each call' },
    });
  }
  expect((await patch('key-of-mine-11111', 'mine', { 'if-match': now })).status).toBe(200);
  expect(service.made).toEqual(['theirs', 'mine']);
});

it('a write to another record, or of other data, is another one', async () => {
  expect((await patch('key-of-others-000', 'x', {})).status).toBe(200);
  expect((await patch('key-of-others-000', 'x', {}, '2')).status).toBe(422);
  expect((await patch('key-of-others-000', 'y', {})).status).toBe(422);
  expect((await patch('key-of-others-000', 'x', {})).headers['idempotency-replayed']).toBe('true');
});
