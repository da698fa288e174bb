import { checkOptionNames } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type {
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  HttpRequest,
  StrategyDescription,
} from '../authentication-types.ts';
import { checkStrategySection } from '../configuration/strategy-section.ts';
import { DEFAULT_PREFIX, isApiKey, parseApiKey } from '../machine/api-key.ts';
import { SCOPES_CLAIM } from '../machine/scopes.ts';
import { EntityStrategy } from './entity-strategy.ts';

const OPTIONS: ReadonlySet<string> = new Set(['header', 'prefix']);
/** Time between two notes that a key was used, in milliseconds. */
const NOTE_INTERVAL = 60_000;
/** Keys whose use is remembered. */
const CAPACITY = 10_000;

/** Authenticates calls with API keys, in a header: for machines, which do not log in. */
export class ApiKeyStrategy extends EntityStrategy {
  /** Keys come with any call, so wrong ones count there too. */
  readonly countsFailures = true;
  /** A key gives no token: what it may do stays bound to it. */
  readonly callsOnly = true;
  readonly #noted = new Map<string, number>();

  /** The strategy's options with their defaults. */
  override get configuration(): Record<string, unknown> & { header: string; prefix: string } {
    return { header: 'X-API-Key', prefix: DEFAULT_PREFIX, ...super.configuration };
  }

  /** @throws Error for an option that the strategy does not have, or that can not be meant */
  verifyConfiguration(): void {
    checkStrategySection(this.settings, this.name);
    const { header, prefix } = this.configuration;
    checkOptionNames(`'authentication.${String(this.name)}'`, super.configuration, OPTIONS);
    if (typeof header !== 'string' || header === '')
      throw new Error(`'authentication.${String(this.name)}.header' must be the name of a header`);
    if (typeof prefix !== 'string' || !/^\w{1,32}$/.test(prefix))
      throw new Error(`'authentication.${String(this.name)}.prefix' must be a word`);
  }

  /** Reads the key of a request. */
  parse(req: HttpRequest): Promise<AuthenticationRequest | null> {
    const apiKey = req.headers?.[this.configuration.header.toLowerCase()];
    if (typeof apiKey !== 'string' || apiKey === '') return Promise.resolve(null);
    return Promise.resolve({ strategy: String(this.name), apiKey });
  }

  /** A key in its header. */
  describe(): StrategyDescription {
    return { credentials: [{ type: 'apiKey', in: 'header', name: this.configuration.header }] };
  }

  /**
   * Verifies the key and loads its entity.
   *
   * @throws NotAuthenticated (401) for a key that is wrong, has ended or whose entity is gone; Unavailable (503)
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const given = parseApiKey(data.apiKey, this.configuration.prefix);
    const found = given && (await this.authentication?.sessions?.findKey(given.id));
    if (!found || !isApiKey(given, found.refresh)) throw new NotAuthenticated('Invalid API key');
    this.#noteUse(found.id);
    const payload = { sub: found.user, sid: found.id, ...(found.scopes === null ? {} : { [SCOPES_CLAIM]: [...found.scopes] }) };
    const result: AuthenticationResult = { authentication: { strategy: String(this.name), name: found.name, payload } };
    const { entityName } = this;
    return entityName === null
      ? result
      : { ...result, [entityName]: await this.getEntity(found.user, params, this.stillHasSecrets(found.id)) };
  }

  #noteUse(id: string): void {
    const now = performance.now();
    if (now - (this.#noted.get(id) ?? -Infinity) < NOTE_INTERVAL) return;
    if (this.#noted.size >= CAPACITY) this.#noted.clear();
    this.#noted.set(id, now);
    this.authentication?.sessions?.noteUsed(id);
  }
}
