import type { ServerResponse } from 'node:http';
import type { Header } from './answer.ts';

/** Browsers must not guess another type (security S41). */
export const NO_SNIFFING: Header = Object.freeze({ name: 'X-Content-Type-Options', value: 'nosniff', rule: 'set' });

/** Caches are told that answers may differ from client to client (security S41). */
export const BY_CLIENT: Header = Object.freeze({ name: 'Vary', value: 'Accept, Authorization, Origin', rule: 'add' });

/** Headers of every answer of this package. */
export const COMMON_HEADERS: readonly Header[] = Object.freeze([NO_SNIFFING, BY_CLIENT]);

/** Error answers are never kept. */
export const NEVER_STORED: Header = Object.freeze({ name: 'Cache-Control', value: 'no-store', rule: 'set' });

/** What belongs to a user is not kept (security S41), unless the application says otherwise. */
const PERSONAL: Header = Object.freeze({ name: 'Cache-Control', value: 'no-store', rule: 'keep' });
/** What has a strong tag may be kept, if it is asked about each time. */
const ASKED_ABOUT: Header = Object.freeze({ name: 'Cache-Control', value: 'no-cache', rule: 'keep' });
/** The same, by the user's own client alone. */
const ASKED_ABOUT_BY_ITS_USER: Header = Object.freeze({ name: 'Cache-Control', value: 'private, no-cache', rule: 'keep' });

/**
 * What keeps caches from misusing the answer of a service.
 *
 * @param personal whether it was made for a certain user
 * @param tagged whether it has a strong tag that clients may ask about
 * @returns `undefined` for nothing
 */
export function cachingOf(personal: boolean, tagged: boolean): Header | undefined {
  if (tagged) return personal ? ASKED_ABOUT_BY_ITS_USER : ASKED_ABOUT;
  return personal ? PERSONAL : undefined;
}

/** Responses on which `keepPrivate` has put its header. */
const keptPrivate = new WeakSet<object>();

/**
 * Says that what a handler answers to whoever was let in is for its user's own client alone (security S41). What sends files would say that it is for everybody.
 * The handler may say otherwise; the answer of a service says it by itself.
 */
export function keepPrivate(res: Pick<ServerResponse, 'hasHeader' | 'setHeader' | 'headersSent'>): void {
  const { name, value } = ASKED_ABOUT_BY_ITS_USER;
  if (res.headersSent || res.hasHeader(name)) return;
  res.setHeader(name, value);
  keptPrivate.add(res);
}

/** @returns whether a header stands on the response, other than one of `keepPrivate` that nobody has replaced */
export function isSet(name: string, res: Pick<ServerResponse, 'hasHeader' | 'getHeader'>): boolean {
  if (!res.hasHeader(name)) return false;
  return name !== ASKED_ABOUT_BY_ITS_USER.name || !keptPrivate.has(res) || res.getHeader(name) !== ASKED_ABOUT_BY_ITS_USER.value;
}

/** Headers to which everybody adds: what a hook sets takes nothing away that middleware has set. */
const SHARED: ReadonlySet<string> = new Set(['set-cookie', 'vary']);

/** How long a body is and how it is cut is known to whoever sends it. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** @returns the headers that a hook has set, but those that say where the body ends: a client would take the rest for another answer */
export function headersOfHook(headers: Readonly<Record<string, string | string[]>>): Header[] {
  return Object.entries(headers)
    .filter(([name]) => !FRAMING.has(name.toLowerCase()))
    .map(([name, value]) => headerOfHook(name, value));
}

/** A header that a hook has set. */
function headerOfHook(name: string, value: string | string[]): Header {
  const key = name.toLowerCase();
  return { name, value: Array.isArray(value) ? joinValues(key, value) : value, rule: SHARED.has(key) ? 'add' : 'set' };
}

/**
 * Puts the values of a header behind others. Cookies are the one list that a comma does not join.
 *
 * @param key name of the header in small letters
 */
export function joinValues(key: string, ...values: readonly (string | readonly string[])[]): string | string[] {
  return key === 'set-cookie' ? values.flat() : values.flat().join(', ');
}

/**
 * Joins headers that a hook has set with those of this package, by their rules.
 *
 * @param own headers of the application
 * @param more headers of this package
 * @returns a list in which no name comes twice
 */
export function joinHeaders(own: readonly Header[], more: readonly Header[]): readonly Header[] {
  if (own.length === 0) return more;
  const joined = new Map<string, Header>();
  for (const header of [...own, ...more]) {
    const key = header.name.toLowerCase();
    const known = joined.get(key);
    if (known === undefined || header.rule === 'set') joined.set(key, header);
    else if (header.rule === 'add') joined.set(key, { ...known, value: joinValues(key, known.value, header.value) });
  }
  return [...joined.values()];
}
