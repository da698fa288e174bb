/** Parameters of a login that begins, which go on to the provider. */
export const PASSED_ON = [
  'prompt',
  'login_hint',
  'ui_locales',
  'display',
  'max_age',
  'acr_values',
  'hd',
  'domain_hint',
  'screen_hint',
] as const;

/** What a code challenge looks like (RFC 7636, section 4.2: S256). */
export const CHALLENGE: RegExp = /^[\w-]{43}$/;
