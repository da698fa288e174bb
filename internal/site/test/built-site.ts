import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const folder = join(import.meta.dirname, '../dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** The built site on a port of its own, as any host of files serves it. */
export interface BuiltSite {
  readonly url: string;
  /** Paths that were asked for and are not there. */
  readonly missing: readonly string[];
  stop(): Promise<void>;
}

export async function serveBuiltSite(): Promise<BuiltSite> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error('The site is not built: `pnpm docs:build` in the root builds it');
  const missing: string[] = [];
  const server: Server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const path = normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    const file = [path, `${path}.html`].map((name) => join(folder, name)).find((name) => extname(name) !== '' && existsSync(name));
    if (file === undefined) {
      missing.push(path);
      res.writeHead(404).end();
      return;
    }
    void readFile(file).then((bytes) =>
      res.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    missing,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
