import { paramsFor } from '@framework/core';
import type { AuthenticationApplication, AuthenticationParams, AuthenticationStrategy, EntityService } from '../authentication-types.ts';
import type { AuthenticationBase } from '../authentication-base.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { derivedFrom } from '../configuration/derived-from.ts';
import { strategySection } from '../configuration/strategy-section.ts';
import { concealedEntity, entityPlace } from '../entity/entity-rules.ts';
import { AUTHENTICATION } from '../package-copy.ts';
import { PURPOSE, type Purpose } from '../login/purpose.ts';
import { entityServiceAt } from '../entity/entity-service.ts';

/** Base of strategies: knows its name, its application and its service. */
export class AuthenticationBaseStrategy implements AuthenticationStrategy {
  static {
    AUTHENTICATION.mark(this.prototype);
  }

  /** The service that the strategy is registered on. */
  authentication?: AuthenticationBase;
  /** The application. */
  app?: AuthenticationApplication;
  /** Name that the strategy is registered under. */
  name?: string;

  setAuthentication(service: unknown): void {
    this.authentication = service as AuthenticationBase;
  }

  setApplication(app: AuthenticationApplication): void {
    this.app = app;
  }

  setName(name: string): void {
    this.name = name;
  }

  /** The strategy's own options: those under its name. */
  get configuration(): Record<string, unknown> {
    return strategySection(this.settings, this.name);
  }

  /**
   * Works something out of the configuration once, and again when the configuration has changed.
   *
   * @param compute gives the same for the same configuration; always the same function object
   */
  protected fromSettings<T>(compute: (settings: AuthenticationConfiguration) => T): T {
    return derivedFrom(this.settings, compute);
  }

  /** The configuration of the service. */
  protected get settings(): AuthenticationConfiguration {
    return this.authentication?.configuration ?? NO_SETTINGS;
  }

  /**
   * An entity as it may lie in `params`, where the JSON of a log or an error finds it: what others do not see of it can be read, and is left out by
   * whatever goes through properties. Results of a strategy get this form by themselves.
   */
  protected concealed(entity: unknown): unknown {
    const { authentication } = this;
    return authentication ? concealedEntity(authentication, entityPlace(authentication, this)?.path, entity) : entity;
  }

  /** The service of the entities, or `null` when none is configured. */
  get entityService(): EntityService | null {
    const path = this.configuration.service ?? this.settings.service;
    return typeof path === 'string' && this.app ? entityServiceAt(this.app, path) : null;
  }

  /**
   * The parameters with which a strategy asks the service of the entities. A call of any service may say how its own records are read: stages, another collection, some
   * properties alone. Who calls does not depend on that. What a login, or a logout, says so is meant for the entities: the authentication service has no records.
   */
  protected entityParams(params: AuthenticationParams): AuthenticationParams {
    const { entityService } = this;
    const { [PURPOSE]: purpose } = params as { readonly [PURPOSE]?: Purpose };
    return entityService && purpose === undefined ? paramsFor(entityService, params) : params;
  }
}

const NO_SETTINGS: AuthenticationConfiguration = Object.freeze({});
