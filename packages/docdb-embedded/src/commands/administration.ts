import { toNumber } from '../bson/arithmetic.ts';
import { isNumber, toDouble } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { Command } from './command.ts';

/** `fsync`: what is acknowledged is written; a lock that keeps writers out is not offered. */
export const fsync: Command = ({ command }) => {
  if (isOn(command.lock)) throw new DocDbError(115, 'fsync with a lock is not supported by this database');
  return { numFiles: 1 };
};

/** `profile`: nothing is profiled, and nothing else can be asked for; what would be slow is kept for each database. */
export const profile: Command = ({ command, database, server }) => {
  const level = toNumber(command.profile);
  const rate = command.sampleRate;
  if (rate !== undefined && rate !== null && !(toNumber(rate) >= 0 && toNumber(rate) <= 1))
    throw badValue("'sampleRate' must be between 0.0 and 1.0 inclusive");
  if (command.filter !== undefined)
    throw command.filter === 'unset'
      ? new DocDbError(115, 'Profiling is not supported by this database')
      : badValue("'filter' has to be an object or 'unset'");
  if (level >= 1 && level <= 2) throw new DocDbError(115, 'Profiling is not supported by this database');
  const before = server.profiles.get(database) ?? { slowms: 100, sampleRate: 1 };
  // A level below 0 only asks.
  if (level >= 0) {
    const { slowms } = command;
    server.profiles.set(database, {
      slowms: isNumber(slowms) ? Math.trunc(toNumber(slowms)) : before.slowms,
      sampleRate: isNumber(rate) ? toNumber(rate) : before.sampleRate,
    });
  }
  return { was: 0, slowms: before.slowms, sampleRate: toDouble(before.sampleRate) };
};

/** `validateDBMetadata`: every collection fits the stable API. */
export const validateDBMetadata: Command = ({ command }) => {
  const { db, collection } = command;
  const { version } = command.apiParameters as { readonly version: string };
  if (version !== '1') throw new DocDbError(322, `API version must be "1", found: "${version}"`);
  if (db === '') throw new DocDbError(28539, 'database name is empty');
  if (typeof db === 'string' && /[ /\\"]/.test(db)) throw new DocDbError(13280, `Invalid database name: '${db}'`);
  if (typeof db === 'string' && (/[.\0]/.test(db) || Buffer.byteLength(db) > 63))
    throw new DocDbError(73, `Invalid database name: '${db}'`);
  if (typeof collection === 'string' && (collection === '' || collection.startsWith('.') || collection.includes('\0')))
    throw new DocDbError(73, `Invalid collection name: '${collection}'`);
  return { apiVersionErrors: [] };
};
