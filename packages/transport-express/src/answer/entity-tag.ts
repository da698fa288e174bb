import { createHash } from 'node:crypto';
import { BadRequest } from '@framework/errors';

/** Tags that one header may list. */
export const ENTITY_TAG_LIMIT = 100;

/** The value of an `If-Match` or `If-None-Match` header: any record, or certain tags. */
export type TagCondition = '*' | readonly EntityTag[];

/** A tag as a request sends it. */
export interface EntityTag {
  /** The tag with its quotes, without a `W/`. */
  readonly tag: string;
  readonly weak: boolean;
}

/**
 * The strong tag of one representation of a record: the record's version, and a digest of what is sent, since one record may
 * look different to different callers.
 *
 * @param version version of the record; an empty text for none
 * @param content what is sent
 */
export function entityTag(version: string, content: string): string {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return `"${Buffer.from(version).toString('base64url')}.${digest}"`;
}

/**
 * The version in a tag that {@link entityTag} made.
 *
 * @param tag a tag with its quotes
 * @returns the version, or `undefined` for a tag from elsewhere
 */
export function versionInTag(tag: string): string | undefined {
  const [, version] = /^"([\w-]*)\.[\w-]{22}"$/.exec(tag) ?? [];
  return version === undefined ? undefined : Buffer.from(version, 'base64url').toString();
}

/**
 * Reads an `If-Match` or `If-None-Match` header.
 *
 * @param name name of the header, for messages
 * @param value its value
 * @returns `undefined` when the request does not have the header
 * @throws BadRequest (400) for anything but `*` or a list of quoted tags
 */
export function parseTagCondition(name: string, value: string | undefined): TagCondition | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  const item = /[ \t,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    if (!match || tags.length === ENTITY_TAG_LIMIT) {
      throw new BadRequest(`${name} must be * or a list of at most ${String(ENTITY_TAG_LIMIT)} quoted entity tags, such as "abc", "def"`);
    }
    tags.push({ tag: match[2] ?? '', weak: match[1] !== undefined });
  }
  return tags;
}

/**
 * @param tag the present tag
 * @param strongly whether weak tags of the request count as different (RFC 9110, 8.8.3.2)
 */
export function includesTag(condition: TagCondition, tag: string, strongly: boolean): boolean {
  return condition === '*' || condition.some((given) => given.tag === tag && !(strongly && given.weak));
}
