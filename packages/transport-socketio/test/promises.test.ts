import type { HookContext } from '@framework/core';
import { afterEach, expect, it } from '@jest/globals';
import { call, collect, connect, memory, start, stopAll, type AnyApplication } from './harness.ts';

afterEach(stopAll);

const author = Promise.resolve({ name: 'Ann' });
/** Forgets to wait for one property. */
const forget = (context: HookContext): void => {
  Object.assign(context.result as object, { author });
};

function build(app: AnyApplication, listenerErrors: unknown[]): void {
  app.use('notes', memory());
  app.publish(() => app.channel('everyone'));
  app.on('connection', (connection: object) => app.channel('everyone').join(connection));
  app.on('listenerError', (error: unknown) => listenerErrors.push(error));
}

it('what a hook has not waited for is sent to nobody as an empty object, by no transport', async () => {
  const listenerErrors: unknown[] = [];
  const { app, url } = await start((made) => build(made, listenerErrors));
  const socket = await connect(url);
  const events = collect(socket, 'notes created');
  await app.service('notes').create({ text: 'first' });
  app.service('notes').hooks({ after: { get: [forget], create: [forget] } });
  const [answer, list] = await Promise.all([fetch(`${url}/notes/0`), fetch(`${url}/notes`)]);
  expect([answer.status, list.status]).toEqual([500, 200]);
  expect(await answer.text()).not.toContain('author');
  await expect(call(socket, 'get', 'notes', 0)).resolves.toMatchObject({ error: { code: 500 } });
  await app.service('notes').create({ text: 'second' });
  app.service('notes').emit('created', { text: 'third' });
  await expect(call(socket, 'find', 'notes')).resolves.toMatchObject({ result: [{ text: 'first' }, { text: 'second' }] });
  expect(events.map((record) => (record as { text: string }).text)).toEqual(['first', 'third']);
  expect(listenerErrors.map(String)).toEqual([expect.stringContaining("'author' of what is sent is a promise")]);
});
