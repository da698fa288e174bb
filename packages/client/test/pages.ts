import { join } from 'node:path';
import { build } from 'esbuild';
import type { RequestHandler } from 'express';

/** Pages of tests: each runs one script, tells what it has seen, and may wait for another. */
export class Pages {
  /** What pages have told. */
  readonly seen: Record<string, unknown>[] = [];
  readonly #scripts = new Map<string, string>();
  readonly #waiting = new Map<string, () => void>();

  /** Makes `/<name>` of `browser-<name>.ts`. */
  async add(name: string): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, `browser-${name}.ts`)],
      bundle: true,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      conditions: ['@framework/source'],
      write: false,
    });
    this.#scripts.set(name, outputFiles[0]!.text);
  }

  readonly handler: RequestHandler = (req, res, next) => {
    const { path, query } = req;
    const name = path.slice(1);
    const script = this.#scripts.get(name.replace(/\.js$/, ''));
    if (script !== undefined) {
      if (name.endsWith('.js')) res.type('js').send(script);
      else res.type('html').send(`<!doctype html><script type="module" src="/${name}.js"></script>`);
    } else if (path === '/seen') {
      let text = '';
      req
        .on('data', (chunk) => (text += String(chunk)))
        .on('end', () => {
          this.seen.push(JSON.parse(text));
          res.end();
        });
    } else if (path === '/meet') {
      // Whoever comes first waits for the other.
      const where = JSON.stringify(query);
      const other = this.#waiting.get(where);
      if (other) {
        this.#waiting.delete(where);
        other();
        res.end();
      } else this.#waiting.set(where, () => res.end());
    } else next();
  };

  /** @returns what `count` pages have told, in the order of their tabs */
  async told(count: number): Promise<Record<string, unknown>[]> {
    while (this.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    return this.seen.splice(0).sort((one, other) => String(one.tab).localeCompare(String(other.tab)));
  }
}
