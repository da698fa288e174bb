import { tellListeners } from '@framework/core';
import type { AuthenticationApplication } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { derivedFrom } from '../configuration/derived-from.ts';
import { derivedKey } from '../configuration/derived-key.ts';
import { MemoryRevokedTokens, StoredRevokedTokens, type RevokedTokens } from './revoked-tokens.ts';
import { revocationSettings } from './revocation-settings.ts';
import { sessionScope } from './session-scope.ts';
import { sessionSettings, type SessionSettings } from './session-settings.ts';
import type { SessionStoreService } from './session-types.ts';
import { Sessions } from './sessions.ts';

/**
 * The sessions and revoked tokens of an authentication service. What is known of them outlives changes of the configuration
 * that have nothing to do with them.
 */
export class ServiceSessions {
  readonly #app: AuthenticationApplication;
  readonly #configKey: string;
  readonly #configuration: () => AuthenticationConfiguration;
  readonly #inMemory = new MemoryRevokedTokens();
  readonly #made = new Map<string, Sessions>();

  constructor(app: AuthenticationApplication, configKey: string, configuration: () => AuthenticationConfiguration) {
    this.#app = app;
    this.#configKey = configKey;
    this.#configuration = configuration;
  }

  /** `undefined` where sessions are off. */
  get sessions(): Sessions | undefined {
    return derivedFrom(this.#configuration(), this.#sessionsOf);
  }

  /** Tokens without a session that were logged out. */
  get revokedTokens(): RevokedTokens {
    return derivedFrom(this.#configuration(), this.#revokedTokensOf);
  }

  /** Ends what is asked of the store. */
  stop(): void {
    for (const sessions of this.#made.values()) sessions.stop();
  }

  readonly #sessionsOf = (configuration: AuthenticationConfiguration): Sessions | undefined => {
    const settings = sessionSettings(configuration.sessions);
    return settings && this.#make(settings, configuration);
  };

  readonly #revokedTokensOf = (configuration: AuthenticationConfiguration): RevokedTokens => {
    const sessions = sessionSettings(configuration.sessions);
    const { service } = revocationSettings(configuration.revocation, sessions?.service);
    if (service === undefined) return this.#inMemory;
    const settings = sessions?.service === service ? sessions : sessionSettings({ service });
    return settings === undefined ? this.#inMemory : new StoredRevokedTokens(this.#make(settings, configuration));
  };

  #make(settings: SessionSettings, configuration: AuthenticationConfiguration): Sessions {
    const scope = sessionScope(this.#configKey, configuration);
    const name = JSON.stringify([settings, scope]);
    const made =
      this.#made.get(name) ??
      new Sessions({
        settings,
        scope,
        service: () => this.#app.service(settings.service) as SessionStoreService,
        serverKey: () => derivedKey(this.#configuration(), 'refresh'),
        reused: (reuse) => {
          tellListeners(this.#app, 'refresh-reuse', [reuse]);
        },
      });
    this.#made.set(name, made);
    return made;
  }
}
