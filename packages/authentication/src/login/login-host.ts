import type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
} from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RevokedTokens } from '../sessions/revoked-tokens.ts';
import type { AuthenticationStrategy } from '../authentication-types.ts';
import type { TokenOptions } from '../tokens/token-options.ts';

/** What logging in and out need of an authentication service. */
export interface LoginHost {
  readonly app: AuthenticationApplication;
  readonly configuration: AuthenticationConfiguration;
  /** Properties of the entity that never leave the server. */
  readonly protectedFields: readonly string[];
  /** `undefined` where sessions are off. */
  readonly sessions: Sessions | undefined;
  readonly revokedTokens: RevokedTokens;
  getStrategy(name: string): AuthenticationStrategy | undefined;
  authenticate(data: AuthenticationRequest, params: AuthenticationParams, ...allowed: string[]): Promise<AuthenticationResult>;
  getPayload(result: AuthenticationResult, params: AuthenticationParams): Promise<Record<string, unknown>>;
  getTokenOptions(result: AuthenticationResult, params: AuthenticationParams): Promise<TokenOptions>;
  createAccessToken(payload: Record<string, unknown>, options?: TokenOptions, secret?: unknown): Promise<string>;
}
