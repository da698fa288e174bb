import { send, type Answer } from './http-client.ts';

/** A request that the browser has made, and its answer. */
export interface SeenRequest {
  readonly method: string;
  /** As the browser sees it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answer: Answer;
}

/** Where the browser is. */
export interface Page {
  readonly url: string;
  /** `undefined` for an address of a page that no server here answers for. */
  readonly answer: Answer | undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const FORM = 'application/x-www-form-urlencoded';

/** What a browser does with links, forms and cookies, without a window: each one has its own cookies. */
export class BrowserClient {
  /** Cookies by origin. */
  readonly cookies = new Map<string, Map<string, string>>();
  readonly seen: SeenRequest[] = [];
  readonly #hosts: Readonly<Record<string, string>>;

  /** @param hosts servers of this machine that answer for origins, for example `{ 'https://api.example.com': 'http://127.0.0.1:3030' }` */
  constructor(hosts: Readonly<Record<string, string>> = {}) {
    this.#hosts = hosts;
  }

  /** Makes one request; cookies that the answer sets are kept. */
  async request(
    url: string,
    { method = 'GET', body = '', headers = {} }: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { origin, pathname, search } = new URL(url);
    const jar = this.jar(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { accept: 'text/html,*/*', ...(cookie === '' ? {} : { cookie }), ...headers };
    const answer = await send(this.#serverOf(origin), `${pathname}${search}`, { method, headers: sent, ...(body === '' ? {} : { body }) });
    for (const line of answer.headers['set-cookie'] ?? []) keep(jar, line);
    this.seen.push({ method, url, headers: sent, body, answer });
    return answer;
  }

  /** Opens an address and goes where answers send it, until a page is shown or nobody here answers. */
  async open(url: string, options: { method?: string; body?: string; headers?: Record<string, string> } = {}): Promise<Page> {
    let next = { url, options };
    for (let hops = 0; hops < 20; hops++) {
      if (!this.#isHere(new URL(next.url).origin)) return { url: next.url, answer: undefined };
      const answer = await this.request(next.url, next.options);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return { url: next.url, answer };
      next = { url: new URL(location, next.url).href, options: {} };
    }
    throw new Error(`${url} leads nowhere`);
  }

  /** Sends the first form of a page. */
  async submit(page: Page, values: Readonly<Record<string, string>>): Promise<Page> {
    const [, attributes = '', inner = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page.answer?.text ?? '') ?? [];
    const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? page.url;
    const hidden = [...inner.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      attribute(input, 'name'),
      attribute(input, 'value'),
    ]);
    const body = new URLSearchParams([
      ...hidden.map(([name = '', value = '']): [string, string] => [name, value]),
      ...Object.entries(values),
    ]).toString();
    return this.open(new URL(unescaped(action), page.url).href, { method: 'POST', body, headers: { 'content-type': FORM } });
  }

  /** The cookies that go to an origin. */
  jar(origin: string): Map<string, string> {
    const known = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, known);
    return known;
  }

  #serverOf(origin: string): string {
    return this.#hosts[origin] ?? origin;
  }

  #isHere(origin: string): boolean {
    return origin in this.#hosts || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(origin);
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const isOver = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one));
  if (isOver || value === '') jar.delete(name);
  else jar.set(name, value);
}

function attribute(tag: string, name: string): string {
  return unescaped(new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
}
