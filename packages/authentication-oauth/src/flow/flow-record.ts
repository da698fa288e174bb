import { isRecord, isText } from '../values.ts';

/** Who links an identity: claims of the access token that the flow began with. */
export interface LinkingUser {
  /** Id of the entity. */
  readonly sub: string;
  readonly sid?: string | undefined;
  readonly jti?: string | undefined;
  readonly iss?: string | undefined;
  /** One audience, or several. */
  readonly aud?: string | readonly string[] | undefined;
  readonly exp: number;
}

/** What a browser brings back of the flow that it began; nobody else can read or write it. */
export interface FlowRecord {
  /** Name of the provider. */
  readonly provider: string;
  /** Issuer, or address of the authorization, and id of the client that the flow began with. */
  readonly server: string;
  readonly client: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Verifier of PKCE. */
  readonly verifier: string;
  /** Base that the browser goes back to, and what was asked for behind it. */
  readonly base: string;
  readonly redirect: string;
  /** What the page has bound the ticket to. */
  readonly challenge?: string | undefined;
  readonly link?: LinkingUser | undefined;
}

const TEXTS = ['provider', 'server', 'client', 'redirectUri', 'state', 'nonce', 'verifier'] as const;

/** @returns whether the content of a flow cookie is a record */
export function isFlowRecord(value: unknown): value is FlowRecord {
  if (!isRecord(value) || !TEXTS.every((name) => isText(value[name]))) return false;
  const { base, redirect, challenge, link } = value;
  return (
    typeof base === 'string' &&
    typeof redirect === 'string' &&
    (challenge === undefined || typeof challenge === 'string') &&
    (link === undefined || isLinkingUser(link))
  );
}

function isLinkingUser(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.sub) || typeof value.exp !== 'number') return false;
  return isAudience(value.aud) && ['sid', 'jti', 'iss'].every((name) => value[name] === undefined || typeof value[name] === 'string');
}

/** @returns whether a value is the audience of a token, which may have none */
export function isAudience(value: unknown): value is LinkingUser['aud'] {
  return value === undefined || typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
