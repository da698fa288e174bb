import { describing, guard, keepUnpublished, stripSlashes, wrapCalls, type HookContext, type NextFunction } from '@framework/core';
import { MethodNotAllowed } from '@framework/errors';
import type { AuthenticationService } from './authentication-service.ts';
import { warnOfSameCookies } from './browser/same-cookies.ts';
import { sendCookies } from './browser/send-cookies.ts';
import { checkConfiguration } from './configuration/check-configuration.ts';
import { checkStrategies } from './configuration/check-strategies.ts';
import { disabledField, entityIdName } from './entity/entity-state.ts';
import { protectEntities } from './entity/protect-entities.ts';
import { watchSecrets } from './entity/watch-secrets.ts';
import { authenticate } from './hooks/authenticate.ts';
import { connection } from './hooks/connection.ts';
import { event } from './hooks/event.ts';
import { noteAnswer } from './login/after-answer.ts';
import { OwnSessions } from './sessions/own-sessions.ts';
import { revocationSettings } from './sessions/revocation-settings.ts';
import type { Sessions } from './sessions/sessions.ts';
import { watchRemovals } from './sessions/watch-removals.ts';
import { property } from './values.ts';
import { registeredService, type RegisteredService } from './registered-service.ts';

interface ApplicationWithUse {
  readonly services: object;
  use(path: string, service: object): unknown;
}

/** Registrations that have the hooks of an authentication service already, by whatever they need them for. */
const hooked = new WeakMap<object, Set<unknown>>();

/**
 * Runs once for each registration of a service: one that is registered again is the same object, with a new method `hooks` and without
 * the hooks of before.
 *
 * @param reason what the hooks are for
 */
function once(registered: RegisteredService, reason: unknown, add: (hooks: (map: object) => unknown) => void): void {
  const registration = property(registered, 'hooks');
  if (typeof registration !== 'function') return;
  const reasons = hooked.get(registration) ?? new Set();
  if (reasons.has(reason)) return;
  hooked.set(registration, reasons.add(reason));
  add((map) => registered.hooks?.(map));
}

/**
 * Checks the configuration and registers the hooks of an authentication service (interface 4.2, 5.4).
 *
 * @param location path of the service; without it only the configuration is checked
 * @throws Error for a configuration that can not work
 */
export function setUpService(service: AuthenticationService, location: string | undefined): void {
  const { app, configuration, configKey, sessions } = service;
  checkConfiguration(configuration, app, configKey, service.strategyNames);
  checkStrategies(service);
  if (location === undefined) return;
  const registered = registeredService(app, location);
  const around = (name: 'login' | 'logout'): ((context: HookContext, next: NextFunction) => Promise<void>)[] => [
    event(name),
    connection(name),
    sendCookies(() => ({ configuration: service.configuration, settings: service.sessions?.settings })),
  ];
  once(registered, 'login', (hooks) => {
    // Around the hooks of the application too: where one of them fails there is no answer.
    wrapCalls(registered, noteAnswer);
    wrapCalls(registered, neverStored);
    hooks({ around: { create: around('login'), remove: around('logout') } });
    // Results hold tokens: they are never published to real-time clients.
    keepUnpublished(registered);
  });
  for (const name of service.strategyNames) protectEntities(service, service.getStrategy(name));
  const revocation = revocationSettings(configuration.revocation, sessions?.settings.service).service;
  if (revocation !== undefined) closeStore(service, revocation, 'revocation');
  if (!sessions) return;
  closeStore(service, sessions.settings.service, 'sessions');
  watchStore(service, sessions.settings.service);
  watchEntities(service);
  useOwnSessions(service, location);
  warnOfSameCookies(app.services, location);
}

/** What a login gives is kept by nobody (security S41, RFC 6749 5.1), unless the application says otherwise, whose hooks may put another `http` in place. */
async function neverStored(context: HookContext, next: NextFunction): Promise<void> {
  await next();
  if (context.method !== 'create' && context.method !== 'remove') return;
  context.http.headers = { 'Cache-Control': 'no-store', ...context.http.headers };
}

/** The store is for the server alone; users reach their own sessions below the authentication service. */
function closeStore({ app, configKey }: AuthenticationService, path: string, option: 'sessions' | 'revocation'): void {
  // Slashes around a path say nothing.
  if (!Object.hasOwn(app.services, stripSlashes(path) || '/')) {
    throw new Error(
      `${option === 'sessions' ? 'Sessions are on' : 'Tokens can be revoked'} and no service '${path}' stores them. Register one: ` +
        `app.use('${path}', sessionStore(collection)), or name another with '${configKey}.${option}.service'`,
    );
  }
  const store = registeredService(app, path);
  const serverOnly = (context: HookContext): void => {
    if (context.params.provider !== undefined) throw new MethodNotAllowed('Sessions are for the server alone');
  };
  once(store, 'closed', (hooks) => {
    hooks({ before: { all: [describing(guard(serverOnly), { serverOnly: true })] } });
    keepUnpublished(store);
  });
}

function watchStore(service: AuthenticationService, path: string): void {
  const store = registeredService(service.app, path);
  const remove = watchRemovals(() => service.sessions, store.id ?? 'id');
  once(store, service, (hooks) => hooks({ around: { remove: [remove] } }));
}

function watchEntities(service: AuthenticationService): void {
  const { service: path, entity } = service.configuration;
  if (path === undefined || entity === null) return;
  const entities = registeredService(service.app, path);
  const { before, around } = watchSecrets(() => {
    const { sessions, configuration } = service;
    return (
      sessions && {
        idName: entityIdName(configuration, entities),
        secrets: service.protectedFields,
        disabledField: disabledField(configuration),
        endBeforeEnabling: (ids) => sessions.ofUser.endBeforeEnabling(ids),
        endOutdated: (id, entity) => sessions.ofUser.endOutdated(id, { entity, fields: service.protectedFields }),
        endChanged: (id) => sessions.ofUser.endChanged(id),
      }
    );
  });
  once(entities, service, (hooks) =>
    hooks({
      around: { update: [around], patch: [around], remove: [around] },
      before: { update: [before], patch: [before], remove: [before] },
    }),
  );
}

function useOwnSessions(service: AuthenticationService, location: string): void {
  const app = service.app as unknown as ApplicationWithUse;
  const path = `${location}/sessions`;
  if (path in app.services) return;
  const { parseStrategies, authStrategies } = service.configuration;
  const strategies = [parseStrategies, authStrategies].find((names) => names !== undefined && names.length > 0);
  // Nobody can say who calls.
  if (strategies === undefined) return;
  app.use(path, new OwnSessions(() => service.sessions as Sessions));
  const registered = registeredService(service.app, path);
  keepUnpublished(registered);
  registered.hooks?.({ before: { all: [authenticate({ service: location, strategies })] } });
}
