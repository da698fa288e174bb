/** Longest texts that logins at providers take, in characters: what checks them and what describes them ask here. */

/** A parameter of a login that begins. */
export const LOGIN_PARAMETER = 1024;
/** An access token in an address. */
export const LINK_TOKEN = 8192;
/** A parameter of a provider's answer. */
export const ANSWER_PARAMETER = 4096;
/** What a browser posts of a name. A longer one is not looked at. */
export const POSTED_NAME = 2048;
/** A signed token of a provider: an ID token, or one that tells of a logout. */
export const SIGNED_TOKEN = 16_384;
/** The nonce of an ID token that a client brings. */
export const NONCE = 512;
