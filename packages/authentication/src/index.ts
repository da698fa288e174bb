export { AuthenticationBase } from './authentication-base.ts';
export { AuthenticationService } from './authentication-service.ts';
export { AuthenticationBaseStrategy } from './strategies/base-strategy.ts';
export { MemoryLimiterStore } from './limiter/memory-limiter-store.ts';
export { RefreshStrategy } from './strategies/refresh-strategy.ts';
export { OwnSessions } from './sessions/own-sessions.ts';
export { Sessions } from './sessions/sessions.ts';
export { isDisabled } from './entity-state.ts';
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
  Connection,
  ConnectionEvent,
  EntityService,
  HttpRequest,
} from './authentication-types.ts';
export type { AuthenticationConfiguration, VerificationKey } from './configuration/configuration-types.ts';
export type { AuthenticateHookSettings } from './hooks/authenticate.ts';
export type { IssuedSession, SessionClient } from './sessions/sessions.ts';
export type { SessionOptions, SessionSettings } from './sessions/session-settings.ts';
export type { LimiterCount, LimiterStore } from './limiter/limiter-store.ts';
export type { LimiterOptions, LimiterRule, Lockout } from './limiter/login-limiter.ts';
export type { OwnSession, SessionRecord, SessionStoreService } from './sessions/session-types.ts';
export type { PublicKey } from './tokens/public-keys.ts';
export type { TokenOptions } from './tokens/token-options.ts';
