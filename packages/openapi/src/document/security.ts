import {
  describeService,
  getServiceOptions,
  inspectGuards,
  nearestBeside,
  neededBy,
  type CredentialDescription,
  type NeededCredentials,
} from '@framework/core';
import type { Components } from './components.ts';

/** What is known of the credentials that a method asks for. */
export type Security =
  | { readonly kind: 'none' }
  | { readonly kind: 'credentials'; readonly schemes: readonly string[]; readonly strategies: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An application, as far as credentials concern it. */
export interface SecuredApplication {
  readonly services: object;
  get?(name: string): unknown;
}

interface Authenticator {
  readonly path: string;
  readonly isDefault: boolean;
  readonly credentials: Readonly<Record<string, readonly CredentialDescription[]>>;
}

/** Finds which credentials methods ask for, and names the ways in which they travel. */
export class SecurityFinder {
  readonly #authenticators: readonly Authenticator[];
  readonly #components: Components;

  constructor(app: SecuredApplication, components: Components) {
    this.#components = components;
    this.#authenticators = Object.entries(app.services).flatMap(([path, service]: [string, object]) => {
      const description = describeService(service);
      return description?.credentials ? [{ path, isDefault: description.isDefault === true, credentials: description.credentials }] : [];
    });
  }

  /**
   * The credentials that a method asks calls from outside for.
   *
   * @param service a registered service
   * @param own strategies that the method itself asks for. Default: none
   */
  of(path: string, service: object, method: string, own: readonly string[] = []): Security {
    const guards = inspectGuards(service, method);
    const asked = [...middlewareOf(service).map((one) => neededBy(one, { path, method })), ...guards.map(({ credentials }) => credentials)];
    const needed = asked.find((credentials) => credentials !== undefined && credentials !== null);
    if (needed) return this.#schemes(path, needed);
    if (own.length > 0) return this.#schemes(path, { strategies: own, service: path });
    const silent = guards.find(({ credentials }) => credentials === undefined);
    if (!silent) return { kind: 'none' };
    return {
      kind: 'unknown',
      reason: `is guarded by ${silent.name === '' ? 'a hook without a name' : `'${silent.name}'`}, which does not say what credentials it asks for: mark it with authenticating() of @framework/core`,
    };
  }

  #schemes(path: string, { strategies, service: asked }: NeededCredentials): Security {
    const isMeant = ({ path: at, isDefault }: Authenticator): boolean =>
      asked === undefined ? isDefault : at === asked || at.endsWith(`/${asked}`);
    const meant = this.#authenticators.filter(isMeant);
    const found = nearestBeside(
      meant.map((one) => one.path),
      path,
    );
    const authenticator = meant.find((one) => one.path === found);
    if (!authenticator) return { kind: 'unknown', reason: 'asks for credentials of an authentication service that there is not' };
    const schemes = strategies.flatMap((strategy) => this.#named(authenticator, strategy));
    if (schemes.length > 0) return { kind: 'credentials', schemes, strategies };
    return {
      kind: 'unknown',
      reason: `asks for credentials of ${strategies.join(', ')}, which do not say how they travel: give the strategy a method describe()`,
    };
  }

  #named({ path, credentials }: Authenticator, strategy: string): string[] {
    return (credentials[strategy] ?? []).map((credential, index) => {
      const wanted =
        index === 0 ? strategy : `${strategy}${credential.type === 'apiKey' && credential.in === 'cookie' ? 'Cookie' : String(index + 1)}`;
      return this.#components.securityScheme(wanted, path, credential);
    });
  }
}

/** What stands in front of a service over REST, and of all its hooks. */
function middlewareOf(service: object): readonly object[] {
  const { express } = (getServiceOptions(service) ?? {}) as { readonly express?: { readonly before?: readonly object[] } };
  return express?.before ?? [];
}
