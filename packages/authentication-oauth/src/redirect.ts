import { BadRequest } from '@framework/errors';
import { LOGIN_PARAMETER } from './lengths.ts';
import { isLoopback } from './values.ts';

/** Where browsers may be sent. */
export interface RedirectRules {
  /** Origins, compared as they are. */
  readonly origins: readonly string[];
  /** Whether any port of this machine counts too. */
  readonly allowLoopback: boolean;
}

/** Origin of this server, where it does not say by which address browsers find it. */
const OWN = 'http://own.invalid';

/**
 * Where a browser goes after its login: what was asked for, within the base. Checked when a login begins and again when it ends.
 *
 * @param base address that was configured, for example `https://app.example.com/#`, or a path of this server
 * @param asked a path that is put behind the base, or an address of a listed origin; the empty text for the base itself
 * @returns the address, or the path
 * @throws BadRequest (400) for an address of any other origin
 * @see security S28
 */
export function redirectTarget(base: string, asked: string, rules: RedirectRules): string {
  if (asked === '') return base;
  if (base.startsWith('/')) {
    const target = redirectTarget(`${OWN}${base}`, asked, rules);
    return target.startsWith(`${OWN}/`) ? target.slice(OWN.length) : target;
  }
  if (asked.length > LOGIN_PARAMETER || /[\x00-\x20\x7f\\]/.test(asked)) throw refused();
  const isPath = /^[/?#]/.test(asked);
  if (isPath && asked.startsWith('//')) throw refused();
  const target = isPath ? `${asked.startsWith('/') ? base.replace(/\/$/, '') : base}${asked}` : asked;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (!url || url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) throw refused();
  // What browsers see must be what was written: no host that only becomes one by reading it twice.
  if (!target.startsWith(url.origin) || !/^$|^[/?#]/.test(target.slice(url.origin.length))) throw refused();
  if (isPath && url.origin !== new URL(base).origin) throw refused();
  const isListed = rules.origins.includes(url.origin) || (rules.allowLoopback && isLoopback(url.hostname));
  if (!isPath && !isListed) throw refused();
  return target;
}

/**
 * Puts what a page is to read behind an address: into the fragment, or into the query of the fragment for pages that have their paths
 * there; an address that ends with `?` gets it there.
 */
export function withAnswer(target: string, answer: Readonly<Record<string, string>>): string {
  const separator = target.endsWith('?') ? '' : !target.includes('#') ? '#' : target.includes('?', target.indexOf('#')) ? '&' : '?';
  return `${target}${separator}${new URLSearchParams(answer).toString()}`;
}

function refused(): BadRequest {
  return new BadRequest("The 'redirect' must be a path that begins with one slash, or an address of a page that is allowed");
}
