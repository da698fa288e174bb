import { createHash, timingSafeEqual } from 'node:crypto';
import { readCookie } from '@framework/authentication';
import { BadRequest } from '@framework/errors';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { isFlowRecord, type FlowRecord } from './flow-record.ts';

/** How long a login at a provider may take, in seconds. */
export const FLOW_AGE = 600;
/** Flows that a browser may have at once, and fewer of long ones; the oldest goes. */
const MOST = 5;
/** Longest cookie that browsers keep, its name and its content (RFC 6265, section 6.1). */
const MOST_BYTES = 4096;
/** Bytes of all flows of a browser: Node.js refuses every request (431) whose headers have 16 KiB. */
const MOST_BYTES_OF_ALL = 2 * MOST_BYTES;
const TYPE = 'oauth-flow';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What flow cookies are made with. */
export interface FlowCookieOptions {
  /** Key of 256 bits. */
  readonly key: Uint8Array;
  /** Whether browsers reach the server over HTTPS. */
  readonly secure: boolean;
  /** Whether the answer is posted by another site, which takes no `SameSite=Lax` cookie along. */
  readonly crossSite: boolean;
}

/**
 * @returns the headers that set the cookie of a flow, and take away those that are too many
 * @throws BadRequest (400) for a flow that no browser would bring back
 */
export async function flowCookies(record: FlowRecord, headers: Headers, options: FlowCookieOptions): Promise<string[]> {
  const content = await new EncryptJWT({ ...record })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: TYPE })
    .setIssuedAt()
    .setExpirationTime(`${FLOW_AGE}s`)
    .encrypt(options.key);
  const name = cookieName(record.state, options.secure);
  const bytes = name.length + content.length;
  if (bytes > MOST_BYTES)
    throw new BadRequest("Browsers do not keep as much for the way back as this login needs: ask for a 'redirect' of fewer letters");
  const others = await flowsOf(headers, options);
  const superfluous = tooMany(others, bytes).map((other) => cookie(other.name, undefined, options));
  return [...superfluous, cookie(name, content, options)];
}

/** @returns the flows for which there is no room beside a new one of so many bytes: the oldest */
function tooMany(others: readonly DatedCookie[], bytes: number): readonly DatedCookie[] {
  let room = MOST_BYTES_OF_ALL - bytes;
  const fits = ({ bytes: ofOther }: DatedCookie): boolean => (room -= ofOther) >= 0;
  const first = Math.max(others.findLastIndex((other) => !fits(other)) + 1, others.length + 1 - MOST);
  return others.slice(0, Math.max(0, first));
}

/**
 * Reads the flow that a browser brings back.
 *
 * @param state the state of the provider's answer
 * @returns `undefined` when this browser has begun no flow with this state
 */
export async function readFlow(state: string, headers: Headers, options: FlowCookieOptions): Promise<FlowRecord | undefined> {
  const content = readCookie(headers, cookieName(state, options.secure));
  const flow = content === undefined ? undefined : await decrypted(content, options.key);
  return flow && isSame(flow.record.state, state) ? flow.record : undefined;
}

/** @returns the header that takes the cookie of a flow away */
export function noFlowCookie(state: string, options: FlowCookieOptions): string {
  return cookie(cookieName(state, options.secure), undefined, options);
}

interface DatedFlow {
  readonly record: FlowRecord;
  readonly issuedAt: number;
}

async function decrypted(content: string, key: Uint8Array): Promise<DatedFlow | undefined> {
  try {
    const { payload } = await jwtDecrypt(content, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      typ: TYPE,
      requiredClaims: ['iat', 'exp'],
      clockTolerance: 0,
    });
    return isFlowRecord(payload) ? { record: payload, issuedAt: Number(payload.iat) } : undefined;
  } catch {
    return undefined;
  }
}

interface DatedCookie {
  readonly name: string;
  /** Of its name and its content. */
  readonly bytes: number;
  readonly issuedAt: number;
}

/** @returns the flow cookies of a browser, the oldest first; what is not ours is the oldest of all */
async function flowsOf(headers: Headers, options: FlowCookieOptions): Promise<DatedCookie[]> {
  const { cookie: header } = headers;
  if (typeof header !== 'string') return [];
  const prefix = cookiePrefix(options.secure);
  const names = header.split(';').flatMap((part) => {
    const name = part.trim().split('=', 1)[0] ?? '';
    return name.startsWith(prefix) && /^[\w-]{8}$/.test(name.slice(prefix.length)) ? [name] : [];
  });
  const dated = [...new Set(names)].slice(0, 4 * MOST).map(async (name) => {
    const content = readCookie(headers, name);
    const flow = content === undefined ? undefined : await decrypted(content, options.key);
    return { name, bytes: name.length + (content?.length ?? 0), issuedAt: flow?.issuedAt ?? 0 };
  });
  return (await Promise.all(dated)).sort((a, b) => a.issuedAt - b.issuedAt);
}

function cookieName(state: string, secure: boolean): string {
  return `${cookiePrefix(secure)}${createHash('sha256').update(state).digest('base64url').slice(0, 8)}`;
}

/** Browsers take a name with `__Host-` for one host, over HTTPS alone. */
function cookiePrefix(secure: boolean): string {
  return secure ? '__Host-oauth-' : 'oauth-';
}

function cookie(name: string, content: string | undefined, { secure, crossSite }: FlowCookieOptions): string {
  const site = crossSite && secure ? 'None' : 'Lax';
  const age = content === undefined ? 0 : FLOW_AGE;
  return `${name}=${content ?? ''}; Path=/; ${secure ? 'Secure; ' : ''}HttpOnly; SameSite=${site}; Max-Age=${age}`;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
