import type { Params } from '@framework/core';
import { BadRequest, NotFound } from '@framework/errors';
import { providerError } from '../errors.ts';
import type { OAuthHost } from '../host.ts';
import { redirectTarget } from '../redirect.ts';
import { property } from '../values.ts';
import { answering } from './answer.ts';

/** Sends a browser to where it logs out at the provider. Logging out here is the business of the authentication service. */
export class OAuthLogoutService {
  readonly #host: OAuthHost;

  constructor(host: OAuthHost) {
    this.#host = host;
  }

  /**
   * @throws NotFound (404) where the provider has no such address, BadRequest (400) for a redirect that is not allowed, Unavailable (503)
   */
  async find(params: Params): Promise<null> {
    const { provider, strategy } = this.#host.provider(property(params.route, 'provider'));
    const { redirect = '' } = params.query ?? {};
    if (typeof redirect !== 'string') throw new BadRequest("'redirect' must be a text");
    const base = (await strategy.getAllowedOrigin(params)) ?? '';
    if (base === '' && redirect !== '') throw new BadRequest("'redirect' needs 'authentication.oauth.redirect' or 'origins'");
    const target = base === '' ? '' : redirectTarget(base, redirect, this.#host.settings);
    const location = await provider.endSession(target).catch((error: unknown) => {
      throw providerError(error);
    });
    if (location === undefined) throw new NotFound('The provider has no address to log out at');
    answering(params)({ location, status: 303 });
    return null;
  }
}
