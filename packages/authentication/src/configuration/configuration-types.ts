import type { LimiterOptions } from '../limiter/limiter-options.ts';
import type { RevocationOption } from '../sessions/revocation-settings.ts';
import type { SessionOptions } from '../sessions/session-settings.ts';
import type { TokenOptions } from '../tokens/token-options.ts';

/** A further key that tokens may be signed with, for rotation. */
export interface VerificationKey {
  /** Matches the `kid` of a token's header. */
  kid: string;
  /** Secret text, PEM, JWK or `KeyObject`. */
  secret: unknown;
  /** Algorithm of the key. Default: that of `jwtOptions`. */
  algorithm?: string;
}

/** The `authentication` section of an application's settings (interface 2.1). */
export interface AuthenticationConfiguration {
  /** Signing secret: a text of at least 32 bytes for HS algorithms; a PEM text, a JWK or a `KeyObject` for the others. */
  secret?: unknown;
  /** Further keys that tokens are verified with, chosen by `kid`. Default: none. */
  keys?: readonly VerificationKey[];
  /** Accepts short and simple secrets, for development. Default: `false`. */
  allowWeakSecret?: boolean;
  /** Path of the service of the entities. Needed unless `entity` is `null`. */
  service?: string;
  /** Names of the strategies that may create tokens. Default: none. */
  authStrategies?: readonly string[];
  /** Names of the strategies that read requests. Default: `authStrategies`. */
  parseStrategies?: readonly string[];
  /** Name of the entity in results and parameters; `null` for tokens without an entity. */
  entity?: string | null;
  /** Name of the entity's id property. Default: the entity service's `id`. */
  entityId?: string;
  /** Property of the entity that is true when it may not log in, dotted paths are allowed; `null` for none. Default: `disabled`. */
  disabledField?: string | null;
  /** Logins that can be ended, with refresh tokens: `true`, or options. Default: `false`. */
  sessions?: boolean | SessionOptions;
  /** Where tokens without a session that were logged out are remembered until they end. Default: `memory`, of each process. */
  revocation?: RevocationOption;
  /** Origins of pages, besides the server's own, that may log in, refresh and log out with cookies or forms. Default: none. */
  origins?: readonly string[];
  /** Bounds of logins that fail; `false` for none. Default: delays that grow, after 10 per account and 100 per address. */
  limiter?: LimiterOptions | false;
  /** Token options; each one overrides its default. */
  jwtOptions?: TokenOptions;
  /** Strategies keep their options under their names. */
  [strategy: string]: unknown;
}

/** Names of the options; others are names of strategies. */
export const OPTION_NAMES: ReadonlySet<string> = new Set<keyof Required<KnownOptions>>([
  'secret',
  'keys',
  'allowWeakSecret',
  'service',
  'authStrategies',
  'parseStrategies',
  'entity',
  'entityId',
  'disabledField',
  'sessions',
  'revocation',
  'origins',
  'limiter',
  'jwtOptions',
]);

type KnownOptions = { [K in keyof AuthenticationConfiguration as string extends K ? never : K]: unknown };
