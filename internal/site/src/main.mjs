// `serve` shows the site while its pages are written, `build` makes it, `check` only looks for what is missing or leads nowhere.
import { watch } from 'node:fs';
import { join, posix } from 'node:path';
import { gather, writePage, writePages } from './gather.mjs';
import { root, site } from './root.mjs';
import { sourcePages } from './sources.mjs';

const commands = { serve, build, check };
const command = commands[process.argv[2]];
if (command === undefined) {
  console.error(`Usage: node src/main.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
await command();

/** Ends with 1 for a dead link, a guide that the navigation does not name, or a public name that nothing describes. */
function check() {
  const { pages, problems } = gather();
  for (const problem of problems) console.error(problem);
  console.log(`${pages.size} pages, ${problems.length} problems`);
  if (problems.length > 0) process.exit(1);
  return pages;
}

async function build() {
  writePages(check());
  const { build: buildSite } = await import('vitepress');
  await buildSite(site);
}

/** `PORT` is the port, 5173 by default. */
async function serve() {
  const { pages, problems } = gather();
  for (const problem of problems) console.warn(problem);
  writePages(pages);
  const { createServer } = await import('vitepress');
  const server = await createServer(site, { port: Number(process.env.PORT ?? 5173), host: '127.0.0.1' });
  await server.listen();
  server.printUrls();
  for (const folder of new Set([...sourcePages().keys()].map((file) => posix.dirname(file)))) {
    watch(join(root, folder), (_event, name) => {
      const file = posix.join(folder, String(name));
      if (!sourcePages().has(file)) return;
      for (const target of writePage(file)) console.warn(`${file} links to ${target}, which is not there`);
    });
  }
}
