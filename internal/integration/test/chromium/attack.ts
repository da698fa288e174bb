import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chromium } from '@framework-internal/testing/chromium';

/** Path to which pages send what they have seen. */
const SEEN = '/seen';

/** A request to the authentication service that came from a page. */
export interface Asked {
  readonly method: string;
  /** What the browser says of the page: `same-origin`, `same-site` or `cross-site`. */
  readonly site: string;
  /** Whether the browser sent the cookies of the session along. */
  readonly cookies: boolean;
  readonly status: number;
}

/** Starts a server on loopback, and gives its port. */
export async function listenOn(listener: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/**
 * Puts an application behind the most careless CORS there is, so that whatever a page sends reaches it, and notes what it answered.
 *
 * @param application answers the requests
 * @param asked gets a note of each request to the authentication service
 */
export function carelessly(application: RequestListener, asked: Asked[]): RequestListener {
  return (req: IncomingMessage, res: ServerResponse) => {
    const { origin, cookie = '' } = req.headers;
    if (origin !== undefined) {
      res.setHeader('access-control-allow-origin', origin);
      res.setHeader('access-control-allow-credentials', 'true');
      res.setHeader('access-control-allow-headers', 'content-type');
      res.setHeader('access-control-allow-methods', 'POST, DELETE');
    }
    if (req.method === 'OPTIONS') {
      res.writeHead(204).end();
      return;
    }
    if (req.url === '/authentication') {
      const [method, site] = [String(req.method), String(req.headers['sec-fetch-site'])];
      res.once('finish', () => asked.push({ method, site, cookies: cookie.includes('__Host-refresh='), status: res.statusCode }));
    }
    application(req, res);
  };
}

/** What pages send of what they have seen. */
export class Seen {
  #tell: ((text: string) => void) | undefined;

  /** Takes what pages send, on whatever server they are, and leaves the rest to an application. */
  beside(application: RequestListener): RequestListener {
    return (req, res) => {
      if (req.url !== SEEN) {
        application(req, res);
        return;
      }
      let text = '';
      req
        .on('data', (chunk) => (text += String(chunk)))
        .on('end', () => {
          this.#tell?.(text);
          res.end();
        });
    };
  }

  /** Opens a page, and gives what it sends. */
  async of(browser: Chromium, url: string): Promise<unknown> {
    const told = new Promise<string>((resolve) => {
      this.#tell = resolve;
    });
    await browser.open(url);
    return JSON.parse(await told);
  }
}

/** A page that runs some code, and then sends what the code has put into `seen`. */
export function page(code: string): string {
  const send = `await fetch('${SEEN}', { method: 'POST', body: JSON.stringify(seen) })`;
  return `<body><script type="module">const seen = []; ${code}; ${send};</script>`;
}

/**
 * Code of a page: sends a login, a refresh and a logout with the cookies of the shop, as JSON and as forms.
 *
 * @param url origin of the shop
 * @param login data of a login
 */
export function attack(url: string, login: object): string {
  return `
    const ask = async (method, body, type) => {
      const init = { method, body, headers: { 'content-type': type }, credentials: 'include' };
      seen.push(await fetch('${url}/authentication', init).then(({ status }) => status, () => 'no answer'));
    };
    const form = (data) => new URLSearchParams(data).toString();
    for (const data of [${JSON.stringify(login)}, { strategy: 'refresh' }]) {
      await ask('POST', JSON.stringify(data), 'application/json');
      await ask('POST', form(data), 'application/x-www-form-urlencoded');
    }
    await ask('DELETE', undefined, 'application/json');
    const frame = Object.assign(document.createElement('iframe'), { name: 'into' });
    const sent = Object.assign(document.createElement('form'), { method: 'post', action: '${url}/authentication', target: 'into' });
    for (const [name, value] of Object.entries(${JSON.stringify(login)}))
      sent.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(frame, sent);
    sent.submit();
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    seen.push('form sent');`;
}
