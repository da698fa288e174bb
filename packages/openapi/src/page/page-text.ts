import type { PageTool } from './pages.ts';

/** Name of the script that shows the document. */
export const SHOW = 'ui.js';

/**
 * The page itself. All that it loads lies beside it.
 *
 * @param title shown by browsers
 */
export function pageText(title: string, { scripts, styles }: PageTool): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${styles.map((path) => `<link rel="stylesheet" href="${fileName(path)}">\n`).join('')}<div id="page"></div>
${[...scripts.map(fileName), SHOW].map((name) => `<script src="${name}" defer></script>`).join('\n')}
</html>
`;
}

/** @returns the name under which a file of a package is served */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The script that gets the document and shows it. Where the document needs a login, it asks for a token, which it keeps for as long as the page is open.
 *
 * @param address of the document, relative to the page
 */
export function pageScript(address: string, { show }: PageTool): string {
  return `'use strict';

function show(spec, token) {${show}
}

// The tools do not agree on what a server's address is relative to.
function absolute(spec, base) {
  const servers = (spec.servers ?? []).map((server) => ({ ...server, url: new URL(server.url, base).href.replace(/\\/$/, '') }));
  return { ...spec, servers };
}

function ask(message) {
  const form = document.createElement('form');
  const label = document.createElement('label');
  const input = Object.assign(document.createElement('input'), { type: 'password', name: 'token', required: true, autocomplete: 'off' });
  const button = Object.assign(document.createElement('button'), { textContent: 'Open' });
  label.append('Access token ', input);
  form.append(Object.assign(document.createElement('p'), { textContent: message }), label, ' ', button);
  document.querySelector('#page').replaceChildren(form);
  input.focus();
  return new Promise((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      form.remove();
      resolve(input.value.trim());
    });
  });
}

async function open() {
  let token;
  for (;;) {
    const headers = { accept: 'application/json', ...(token === undefined ? {} : { authorization: 'Bearer ' + token }) };
    const answer = await fetch(${JSON.stringify(address)}, { headers, credentials: 'same-origin' });
    if (answer.ok) return show(absolute(await answer.json(), answer.url), token);
    if (answer.status !== 401 && answer.status !== 403) throw new Error('The server has answered ' + answer.status);
    token = await ask(token === undefined ? 'This description needs a login.' : 'The server does not take this token.');
  }
}

open().catch((error) => {
  document.querySelector('#page').replaceChildren('The description can not be shown: ' + error.message);
});
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
}
