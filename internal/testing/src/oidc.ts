import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import type { BrowserClient, Page } from './browser-client.ts';
import { startChangeable } from './changeable-server.ts';

export { startBadProvider, type BadProvider, type Misbehaviour } from './bad-provider.ts';
export { startChangeable, type ChangeableServer } from './changeable-server.ts';
export { BrowserClient, type Page, type SeenRequest } from './browser-client.ts';

/** What is known of a person at a provider, besides the name it logs in with. */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider that runs in this process. */
export interface OidcServer {
  readonly issuer: string;
  /** Claims of people by the name they log in with; others have an address of their name that is verified. */
  readonly people: Map<string, Claims>;
  /** Method and address of all requests. */
  readonly requests: string[];
  /** The provider stops answering until it is called again with `true`. */
  answer(yes: boolean): void;
  stop: () => Promise<void>;
}

/**
 * Starts an OpenID provider with pages for login and consent that take any name.
 *
 * @param clients clients in the form of the registration (RFC 7591)
 * @param hosts servers that answer for origins that the provider asks, for logouts
 * @param port port of a provider that comes back. Default: a free one
 */
export async function startOidcProvider(
  clients: readonly object[],
  hosts: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<OidcServer> {
  const server = await startChangeable(port);
  const people = new Map<string, Claims>();
  const requests: string[] = [];
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' };
  const Provider = await quietly(providerClass);
  const provider = await quietly(
    () =>
      new Provider(server.url, {
        clients,
        jwks: { keys: [jwk] },
        cookies: { keys: ['cookies of tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
        features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
        ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 600, AccessToken: 600 },
        fetch: (url: string | URL, options: RequestInit) => {
          const { origin, href } = new URL(url);
          return fetch(href.replace(origin, hosts[origin] ?? origin), options);
        },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, name: id, email: `${id}@example.com`, email_verified: true, ...people.get(id) }),
        }),
      }),
  );
  const handle = provider.callback();
  const listener: RequestListener = (req, res) => {
    requests.push(`${req.method} ${req.url}`);
    handle(req, res);
  };
  server.listener = listener;
  return {
    issuer: server.url,
    people,
    requests,
    answer: (yes) => {
      server.listener = yes ? listener : (_req, res) => void res.writeHead(500).end();
    },
    stop: server.stop,
  };
}

/** Logs in at the pages of an {@link OidcServer}, and gives where that has led. */
export async function logInAtProvider(browser: BrowserClient, start: string, name: string, options: object = {}): Promise<Page> {
  let page = await browser.open(start, options);
  for (let step = 0; step < 4 && page.answer?.text.includes('name="prompt"') === true; step++) {
    page = await browser.submit(page, { login: name, password: 'any' });
  }
  return page;
}

/** The part of the provider that tests use; the package has no types. */
type ProviderClass = new (issuer: string, configuration: object) => { callback(): RequestListener };

async function providerClass(): Promise<ProviderClass> {
  const name: string = 'oidc-provider';
  const { default: loaded } = (await import(name)) as { default: ProviderClass };
  return loaded;
}

/** It warns of all that tests are for: that people and logins are forgotten, and that anybody may be anybody. */
async function quietly<T>(make: () => T | Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await make();
  } finally {
    console.warn = warn;
  }
}
