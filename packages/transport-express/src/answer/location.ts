import type { HookContext } from '@framework/core';
import { segmentOf } from './record-path.ts';

/**
 * The `Location` of a created record: the service's path on the host that was asked, and the record's id behind it.
 *
 * @param context context of the finished `create`
 * @param record what is sent
 * @param url URL of the request, as it came
 * @returns `undefined` for what has no id that a path can carry
 * @see decisions: success status
 */
export function createdLocation(context: HookContext, record: unknown, url: string): string | undefined {
  const id = idOf(context, record);
  const segment = id === undefined ? undefined : segmentOf(id);
  return segment === undefined ? undefined : `${barePath(url)}/${segment}`;
}

/**
 * The path of a request's URL, so that it can not be read as one of another host: `//host`, `/\host` and `http://host` are
 * what clients would go elsewhere for.
 *
 * @param url the URL, as it came; a query stays
 */
export function localPath(url: string): string {
  if (ORDINARY.test(url)) return url;
  const [whole = ''] = url.split('#', 1);
  const path = whole.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const encoded = path.replace(/[\\\x00-\x20\x7f]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
  return `/${encoded.replace(/^\/+/, '')}`;
}

/** Begins with one slash, and has nothing in it that clients read as another character, nor a fragment, which is none of the path. */
const ORDINARY = /^\/(?!\/)[^\\#\x00-\x20\x7f]*$/;

/**
 * Encodes what may not stand in a header; existing percent-encoding stays, and half a surrogate pair becomes the replacement character.
 *
 * @param url a URL that a hook has set
 */
export function encodeUrl(url: string): string {
  const whole = url.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  return encodeURI(whole).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

/**
 * The path of a request's URL, without a query and slashes at its end.
 *
 * @param asked the URL, as it came
 * @returns empty for the root
 */
export function barePath(asked: string): string {
  const url = localPath(asked);
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  let length = path.length;
  while (length > 0 && path[length - 1] === '/') length -= 1;
  return length === path.length ? path : path.slice(0, length);
}

function idOf({ service }: HookContext, record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const idName: unknown = typeof service === 'object' && service !== null ? Reflect.get(service, 'id') : undefined;
  const id: unknown = Reflect.get(record, typeof idName === 'string' ? idName : 'id');
  if (typeof id === 'string') return id;
  if (typeof id === 'number') return String(id);
  // Database ids are objects with a text form of their own.
  return typeof id === 'object' && id !== null && 'toHexString' in id && typeof id.toHexString === 'function' ? String(id) : undefined;
}
