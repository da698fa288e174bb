/// <reference lib="dom" />
// The script of the live page: it is put into one file with the client, and runs in the browser.
import { createClient, rest, sse } from '@framework/client';
import type { Services } from '../app.ts';

/** Changes that the page shows. */
const MOST = 50;

const state = document.querySelector('#state');
const changes = document.querySelector('#changes');
const show = (text: string): void => {
  const item = document.createElement('li');
  // Names of cities are what anyone may have written.
  item.textContent = text;
  changes?.prepend(item);
  while ((changes?.children.length ?? 0) > MOST) changes?.lastChild?.remove();
};
const say = (text: string): void => {
  if (state) state.textContent = text;
};

// When the connection is lost the client comes back by itself, and gets what it has missed.
const client = createClient<Services>(rest(''), { events: sse('') });
client.on('connect', () => say('live')).on('disconnect', () => say('connecting'));
client.on('reset', () => show('Some changes were missed'));
for (const event of ['created', 'updated', 'patched', 'removed'] as const) {
  client.service('cities').on(event, ({ name, country, population }) => show(`${name} (${country}, ${String(population)}) was ${event}`));
}
