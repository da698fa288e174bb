export { AuthenticationBase } from './authentication-base.ts';
export { AuthenticationService } from './authentication-service.ts';
export { AuthenticationBaseStrategy } from './strategies/base-strategy.ts';
export { MemoryLimiterStore } from './limiter/memory-limiter-store.ts';
export { RefreshStrategy } from './strategies/refresh-strategy.ts';
export { OwnSessions } from './sessions/own-sessions.ts';
export { Sessions } from './sessions/sessions.ts';
export { ApiKeyStrategy } from './strategies/api-key-strategy.ts';
export { EntityStrategy } from './strategies/entity-strategy.ts';
export { derivedFrom } from './configuration/derived-from.ts';
export { derivedKey } from './configuration/derived-key.ts';
export { requestIdOf } from './events/request-id.ts';
export { readCookie } from './browser/cookies.ts';
export { SCOPES_CLAIM } from './machine/scopes.ts';
export { ORIGIN } from './login/login-origin.ts';
export { IDENTITY } from './login/identity.ts';
export { isSameSecret, SAME_SECRET } from './entity/watch-secrets.ts';
export { isDisabled } from './entity/entity-state.ts';
export { nextAttempt, withoutAttempt } from './limiter/next-attempt.ts';
export { JwksService } from './jwks-service.ts';
export { JWTStrategy } from './strategies/jwt-strategy.ts';
export { authenticate } from './hooks/authenticate.ts';
export { hooks } from './hooks/hooks.ts';
export { authenticationSettingsSchema } from './configuration/settings-schema.ts';
export { defaultConfiguration } from './configuration/default-configuration.ts';
export { findAuthentication } from './find-authentication.ts';
export type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  AuthenticationStrategy,
  StrategyDescription,
  Connection,
  ConnectionEvent,
  EntityService,
  HttpRequest,
} from './authentication-types.ts';
export type { AuthenticationConfiguration, VerificationKey } from './configuration/configuration-types.ts';
export type { AuthenticateHookSettings } from './hooks/authenticate.ts';
export type { Denied } from './events/denied.ts';
export type { LoginIdentity } from './login/identity.ts';
export type { LoginOrigin } from './login/login-origin.ts';
export type { KeyPurpose } from './configuration/derived-key.ts';
export type { IssuedApiKey, MachineOptions, MachineToken } from './machine/machine-credentials.ts';
export type { Admit } from './strategies/entity-strategy.ts';
export type { EntitySecrets, SecretMark } from './entity/secret-marks.ts';
export type { SessionClient } from './sessions/session-client.ts';
export type { SessionDraft } from './sessions/session-draft.ts';
export type { SessionScope } from './sessions/session-scope.ts';
export type { SessionOptions, SessionSettings } from './sessions/session-settings.ts';
export type { RevocationOption } from './sessions/revocation-settings.ts';
export type { AttemptAnswer, AttemptRule, AttemptState, LimiterStore } from './limiter/limiter-store.ts';
export type { LimiterOptions, LimiterRule } from './limiter/limiter-options.ts';
export type { Lockout } from './limiter/login-limiter.ts';
export type { OwnSession, SessionKind, SessionRecord, SessionStoreService, StoredSession } from './sessions/session-types.ts';
export type { UserSessions } from './sessions/user-sessions.ts';
export type { PublicKey } from './tokens/public-keys.ts';
export type { TokenOptions } from './tokens/token-options.ts';
