import { describesItself, type HookContext, type ServiceDescription } from '@framework/core';
import type { AuthenticationApplication } from './authentication-types.ts';
import { findAuthentication } from './find-authentication.ts';
import { publicKeys, type PublicKey } from './tokens/public-keys.ts';
import { registeredService } from './registered-service.ts';

/** Seconds that others may keep the keys. */
const MAX_AGE = 300;

const KEYS = { type: 'array', items: { type: 'object', properties: { kty: { type: 'string' } }, required: ['kty'] } };
const DESCRIPTION: ServiceDescription = {
  text: 'Public keys, with which others verify access tokens (RFC 7517).',
  methods: { find: { summary: 'The public keys', result: { type: 'object', properties: { keys: KEYS }, required: ['keys'] } } },
};

/**
 * The public keys of an authentication service, for others who verify its tokens (RFC 7517):
 * `app.use('.well-known/jwks.json', new JwksService(app))`. Symmetric secrets are never among them.
 */
export class JwksService {
  static {
    Object.defineProperty(this.prototype, describesItself, { value: (): ServiceDescription => DESCRIPTION, configurable: true });
  }

  readonly #app: AuthenticationApplication;
  readonly #path: string | undefined;

  /**
   * @param app the application
   * @param path path of the authentication service. Default: the default one
   */
  constructor(app: AuthenticationApplication, path?: string) {
    this.#app = app;
    this.#path = path;
  }

  /** @returns the keys, the present one first */
  async find(): Promise<{ keys: PublicKey[] }> {
    const service = findAuthentication(this.#app, this.#path);
    return Promise.resolve({ keys: service ? publicKeys(service.configuration) : [] });
  }

  /** Lets caches keep the answer. */
  setup(app: unknown, path: string): void {
    const registered = registeredService(app as AuthenticationApplication, path);
    const cacheable = (context: HookContext): void => {
      context.http.headers = { 'Cache-Control': `public, max-age=${String(MAX_AGE)}`, ...context.http.headers };
    };
    registered.hooks?.({ after: { find: [cacheable] } });
  }
}
