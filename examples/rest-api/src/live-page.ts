import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Changes that the page shows. */
const MOST = 50;

const SCRIPT = `
  const state = document.querySelector('#state');
  const changes = document.querySelector('#changes');
  const show = (text) => {
    const item = document.createElement('li');
    // Names of cities are what anyone may have written.
    item.textContent = text;
    changes.prepend(item);
    while (changes.children.length > ${String(MOST)}) changes.lastChild.remove();
  };
  // When the connection is lost the browser comes back by itself, and gets what it has missed.
  const events = new EventSource('/events');
  events.addEventListener('connection', () => (state.textContent = 'live'));
  events.addEventListener('error', () => (state.textContent = 'connecting'));
  events.addEventListener('reset', () => show('Some changes were missed'));
  for (const event of ['created', 'updated', 'patched', 'removed']) {
    events.addEventListener('cities ' + event, ({ data }) => {
      const { name, country, population } = JSON.parse(data);
      show(name + ' (' + country + ', ' + population + ') was ' + event);
    });
  }
`;

/** A page that shows the latest changes to cities, in every browser that has it open. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Latest changes to cities</title>
<h1>Latest changes to cities</h1>
<p id="state" role="status">connecting</p>
<ol id="changes" reversed></ol>
<script type="module">${SCRIPT}</script>
</html>
`;

/** The page runs its own script alone, and asks this server alone. */
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const POLICY = `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; connect-src 'self'; frame-ancestors 'self'`;

/** Serves the page. */
export const livePage: RequestHandler = (_req, res) => {
  res.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
};
