/** Options of tokens, under the names of the configuration (interface 2.1). */
export interface TokenOptions {
  /** Fields of the JOSE header; `typ` is checked when a token is verified. */
  header?: { typ?: string; [name: string]: unknown };
  /** Whom the token is for. */
  audience?: string | readonly string[];
  /** Who made the token. */
  issuer?: string;
  /** Signing algorithm; when verifying, the only ones that are accepted. */
  algorithm?: string | readonly string[];
  /** Life of a token: seconds, or a text such as `1d` or `2 hours`. */
  expiresIn?: string | number;
  /** Time until a token counts: seconds, or a text. */
  notBefore?: string | number;
  /** Id of the entity. */
  subject?: string;
  /** Id of the token. Default: random. */
  jwtid?: string;
  /** `kid` of the header. */
  keyid?: string;
  /** Seconds that clocks may differ. Default: 0, at most 60. */
  clockTolerance?: number;
  /** Oldest token that is accepted: seconds, or a text. */
  maxAge?: string | number;
}
