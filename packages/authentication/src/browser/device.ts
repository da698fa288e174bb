import { createHmac } from 'node:crypto';
import { isSame, randomId } from '../sessions/refresh-token.ts';

/** How long a browser is known, in seconds. */
export const DEVICE_AGE: number = 180 * 24 * 3600;

/**
 * Writes the mark of a device that has logged in to an account: strangers who try the account's password do not lock it out.
 *
 * @param account id of the entity
 * @param key server key for devices
 */
export function deviceMark(account: string, key: Buffer): string {
  const id = randomId();
  return `${id}.${tagOf(id, account, key)}`;
}

/** @returns the id of the device when the mark is ours and of this account, else `undefined` */
export function deviceOf(mark: string | undefined, account: string, key: Buffer): string | undefined {
  const [, id, tag] = /^([\w-]{22})\.([\w-]{43})$/.exec(mark ?? '') ?? [];
  return id !== undefined && tag !== undefined && isSame(tagOf(id, account, key), tag) ? id : undefined;
}

function tagOf(id: string, account: string, key: Buffer): string {
  return createHmac('sha256', key).update(`${id}.${account}`).digest('base64url');
}
