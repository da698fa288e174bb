import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient, rest } from '../src/index.ts';
import { start, type Running, type TestApp } from './application.ts';

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());

it('a weak tag is no version: a service that is not conditional would write without a condition', async () => {
  const notes = createClient<TestApp>(rest(running.url)).service('notes');
  const { id } = await notes.create({ text: 'mine' });
  const read = await notes.get(id);
  await running.app.service('notes').patch(id, { text: 'theirs' });
  for (const ifMatch of [true, read] as const)
    await expect(notes.patch(id, { text: 'lost' }, { ifMatch })).rejects.toThrow("rest() has no ETag of a 'conditional' service");
  expect(await notes.get(id)).toMatchObject({ text: 'theirs' });
});
