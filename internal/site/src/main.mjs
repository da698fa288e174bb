// `serve` shows the site while its pages are written, `build` makes it, `check` only looks for what is missing or leads nowhere.
import { watch } from 'node:fs';
import { join, posix } from 'node:path';
import { gather, writePage } from './gather.mjs';
import { guidesLeftOut } from './navigation.mjs';
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
  const all = [...problems, ...guidesLeftOut().map((file) => `docs/guides/${file} is not in the navigation (src/navigation.mjs)`)];
  for (const problem of all) console.error(problem);
  console.log(`${pages} pages, ${all.length} problems`);
  if (all.length > 0) process.exit(1);
}

async function build() {
  check();
  const { build: buildSite } = await import('vitepress');
  await buildSite(site);
}

/** `PORT` is the port, 5173 by default. */
async function serve() {
  const { problems } = gather();
  for (const problem of problems) console.warn(problem);
  const { createServer } = await import('vitepress');
  const server = await createServer(site, { port: Number(process.env.PORT ?? 5173), host: '127.0.0.1' });
  await server.listen();
  server.printUrls();
  for (const folder of new Set([...sourcePages().keys()].map((file) => posix.dirname(file)))) {
    watch(join(root, folder), (_event, name) => {
      const file = posix.join(folder, String(name));
      const page = sourcePages().get(file);
      if (page === undefined) return;
      for (const target of writePage(file, page).dead) console.warn(`${file} links to ${target}, which is not there`);
    });
  }
}
