import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiServer } from '../document/types.ts';
import type { OpenApiSettings } from '../openapi-options.ts';
import { installedPackage } from './installed-package.ts';
import { fileName, pageScript, pageText, SHOW } from './page-text.ts';
import { PAGES, type PageTool } from './pages.ts';

/** Name of the page, below the path of the document. */
const PAGE = 'ui';

/** What the page reads of a request. */
interface PageRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly lookup?: { readonly params: Readonly<Record<string, string>> } | undefined;
}

/** What the page writes. */
interface PageResponse {
  readonly headersSent: boolean;
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(content?: string | Buffer): unknown;
}

/** Middleware in front of the service of the document. */
export type PageHandler = (req: PageRequest, res: PageResponse, next: (error?: unknown) => void) => void;

/** One thing that is served, read when it is first asked for. */
interface Served {
  readonly type: string;
  readonly read: () => Promise<Buffer>;
}

interface Content {
  readonly plain: Buffer;
  readonly packed: Buffer;
  readonly tag: string;
}

const compressed = promisify(gzip);

/**
 * Serves a page that shows the document, and what it loads, below the path of the document. All of it comes from this server, and holds nothing of the
 * application but the title of its API: the document itself is asked for by the page, with the credentials of whoever looks at it.
 *
 * @throws Error when the package of the tool is not installed
 */
export function pageHandler({ ui, path, info, servers }: OpenApiSettings): PageHandler {
  if (!ui) throw new Error('There is no page');
  const tool: PageTool = PAGES[ui.use];
  const folder = installedPackage(tool.package, `openapi({ ui: '${ui.use}' })`);
  const text = (content: string) => (): Promise<Buffer> => Promise.resolve(Buffer.from(content));
  const files = [...tool.scripts, ...tool.styles].map((file): [string, Served] => {
    return [fileName(file), { type: file.endsWith('.css') ? CSS : SCRIPT, read: () => readFile(join(folder, file)) }];
  });
  const served = new Map<string, Served>([
    ...files,
    [PAGE, { type: 'text/html; charset=utf-8', read: text(pageText(info.title, tool)) }],
    [SHOW, { type: SCRIPT, read: text(pageScript(`../${fileName(path)}`, tool)) }],
  ]);
  const policy = policyOf(tool, servers ?? []);
  const known = new Map<string, Promise<Content>>();
  return (req, res, next) => {
    const name = req.lookup?.params.__id ?? '';
    const found = served.get(name);
    if (!found || (req.method !== 'GET' && req.method !== 'HEAD')) {
      next();
      return;
    }
    if (name === PAGE && /^[^?]*\/(?:\?|$)/.test(req.url ?? '')) {
      // Behind a slash what the page loads would lie elsewhere.
      res.statusCode = 308;
      res.setHeader('Location', `../${PAGE}`);
      res.end();
      return;
    }
    const content = known.get(name) ?? contentOf(found);
    known.set(name, content);
    content.then(
      (read) => {
        // A limit of time may have answered meanwhile.
        if (!res.headersSent) send(read, found.type, policy, req, res);
      },
      (error: unknown) => {
        // The next one tries again.
        known.delete(name);
        next(error);
      },
    );
  };
}

const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

async function contentOf({ read }: Served): Promise<Content> {
  const plain = await read();
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return { plain, packed: await compressed(plain), tag };
}

function send({ plain, packed, tag }: Content, type: string, policy: string, { method, headers }: PageRequest, res: PageResponse): void {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('ETag', tag);
  if (String(headers['if-none-match'] ?? '').includes(tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers['accept-encoding'] ?? ''));
  const body = takesGzip ? packed : plain;
  res.statusCode = 200;
  res.setHeader('Content-Type', type);
  if (takesGzip) res.setHeader('Content-Encoding', 'gzip');
  res.setHeader('Content-Length', String(body.length));
  res.end(method === 'HEAD' ? undefined : body);
}

/** Only what this server sends runs. The tools write styles into the page; it talks to the servers of the API alone. */
function policyOf({ policy }: PageTool, servers: readonly ApiServer[]): string {
  const origins = new Set(servers.flatMap(({ url }) => (/^https?:\/\//i.test(url) && URL.canParse(url) ? [new URL(url).origin] : [])));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...policy,
  ].join('; ');
}
