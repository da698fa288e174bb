/** Options of tokens, under the names of the configuration (interface 2.1, 4.2). */
export interface TokenOptions {
  /** Fields of the JOSE header; `typ` is checked when a token is verified. */
  header?: { typ?: string; [name: string]: unknown };
  /** Whom the token is for. */
  audience?: string | readonly string[];
  /** Who made the token; of several, the first signs and all are accepted. */
  issuer?: string | readonly string[];
  /** Signing algorithm; of several, the first signs. When verifying, the only ones that are accepted. */
  algorithm?: string | readonly string[];
  /** Narrows the algorithms that are accepted when verifying; it never adds one. Default: those of `algorithm`. */
  algorithms?: readonly string[];
  /** Life of a token: seconds, or a text such as `1d` or `2 hours`. */
  expiresIn?: string | number;
  /** Time until a token counts: seconds, or a text. */
  notBefore?: string | number;
  /** Id of the entity; when verifying, the only one that is accepted. */
  subject?: string;
  /** Id of the token; when verifying, the only one that is accepted. Default: random, and any. */
  jwtid?: string;
  /** `kid` of the header, also in the place of one in `header`. */
  keyid?: string;
  /** Seconds that clocks may differ. Default: 0, at most 60. */
  clockTolerance?: number;
  /** Oldest token that is accepted: seconds, or a text. */
  maxAge?: string | number;
  /** The `nonce` claim that is expected when verifying. */
  nonce?: string;
  /** Seconds since 1970 that are taken for the present when verifying. Default: the clock. */
  clockTimestamp?: number;
}
