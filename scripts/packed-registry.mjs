// A registry on loopback that has the packages of this checkout as they are published, and passes on what it does not have to the one that npm uses here.
// It takes nothing: what `rehearse` needs more for is a real one.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packAll } from './packages.mjs';
import { run } from './pnpm.mjs';

/** @returns {string} URL of the registry that npm uses here */
const upstreamUrl = () => run('npm', ['config', 'get', 'registry']).trim().replace(/\/*$/, '/');

/** @returns {Promise<boolean>} whether the registry that npm uses here can be reached, without which nothing can be installed */
export async function reachesRegistry() {
  return fetch(`${upstreamUrl()}express`, { signal: AbortSignal.timeout(30_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Packs all packages, which have to be built, and serves them.
 *
 * @param {string} folder for the packed files; it is made
 * @returns {Promise<{ url: string, packages: string[], close: () => Promise<void> }>}
 */
export async function startPackedRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const upstream = upstreamUrl();
  const files = packAll(folder);
  let url = '';
  const packuments = new Map(Object.entries(files).map(([name, file]) => [name, packument(name, file)]));
  const tarballs = new Map(Object.values(files).map((file) => [basename(file), file]));

  function packument(name, file) {
    const manifest = JSON.parse(run('tar', ['-xOf', file, 'package/package.json']));
    const bytes = readFileSync(file);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = () => ({ integrity, tarball: `${url}-/packed/${basename(file)}` });
    const { version } = manifest;
    return () => ({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist: dist() } } });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      response.statusCode = 502;
      response.end(String(error));
    });
  });

  async function answer(request, response) {
    const path = decodeURIComponent(new URL(String(request.url), 'http://registry').pathname).slice(1);
    const own = packuments.get(path);
    if (own) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(own()));
      return;
    }
    const tarball = tarballs.get(path.replace('-/packed/', ''));
    if (tarball !== undefined) {
      response.end(readFileSync(tarball));
      return;
    }
    const { accept = '*/*' } = request.headers;
    const passed = await fetch(upstream + String(request.url).slice(1), { headers: { accept } });
    response.statusCode = passed.status;
    response.setHeader('content-type', passed.headers.get('content-type') ?? 'application/octet-stream');
    response.end(Buffer.from(await passed.arrayBuffer()));
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
  return {
    url,
    packages: Object.keys(files),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startPackedRegistry(join(process.argv[2] ?? 'packed'));
  console.log(url);
}
