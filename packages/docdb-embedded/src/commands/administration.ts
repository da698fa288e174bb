import { toNumber } from '../bson/arithmetic.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, toDouble, typeName } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { hasOperators } from '../query/value-tests.ts';
import type { Command } from './command.ts';
import { FEATURE_VERSION } from './server-version.ts';

/** Megabytes of which the bytes can be counted. */
const MOST_MEGABYTES = 2 ** 43 - 1;

/** `autoCompact`: room that is free is written again, and the file is not made smaller. */
export const autoCompact: Command = ({ command: { autoCompact: on, freeSpaceTargetMB: target } }) => {
  if (on === true && isNumber(target) && Math.trunc(toNumber(target)) > MOST_MEGABYTES)
    throw badValue(`'freeSpaceTargetMB' can be ${String(MOST_MEGABYTES)} at most`);
  if (on === true)
    throw new DocDbError(
      115,
      'autoCompact is not supported by this database: room that is free is used again, and no file is made smaller',
    );
  return {};
};

/** What `setFeatureCompatibilityVersion` of a server takes. */
const VERSIONS: ReadonlySet<unknown> = new Set(['8.0', '8.2']);

/** `setFeatureCompatibilityVersion`: there is one, which stays. */
export const setFeatureCompatibilityVersion: Command = ({ command }) => {
  const { setFeatureCompatibilityVersion: version, confirm } = command;
  if (!VERSIONS.has(version)) throw new DocDbError(4926900, `Invalid feature compatibility version: '${String(version)}'`);
  if (!isOn(confirm)) throw new DocDbError(7369100, 'setFeatureCompatibilityVersion needs confirm: true');
  if (version !== FEATURE_VERSION)
    throw new DocDbError(115, `the feature compatibility version of this database stays as it is, and can not become '${String(version)}'`);
  return {};
};

/** `dropConnections`: ends the connections of the server to others, of which this one makes none. */
export const dropConnections: Command = () => ({});

/** `fsync`: forces what is written to the disk, and with a lock keeps writers out until it is given back. */
export const fsync: Command = async ({ command, server: { store } }) => {
  const { engine } = store;
  if (!isOn(command.lock)) {
    await engine.flush();
    return { numFiles: 1 };
  }
  await engine.lockWrites();
  return {
    info: 'now locked against writes, use db.fsyncUnlock() to unlock',
    lockCount: BigInt(engine.lock.count),
    seeAlso: 'https://www.mongodb.com/docs/manual/reference/command/fsync/',
  };
};

/** `fsyncUnlock` */
export const fsyncUnlock: Command = ({ server: { store } }) => {
  const { lock } = store.engine;
  if (lock.count === 0) throw new DocDbError(20, 'fsyncUnlock called when not locked');
  lock.give();
  return { info: 'fsyncUnlock completed', lockCount: BigInt(lock.count) };
};

const SET_FILTER = 'a filter decides what is noted at level 1, and slowms and sampleRate do not';

/** `profile`: which commands of a database are noted in its `system.profile`. */
export const profile: Command = async ({ command, database, server: { profiler }, operation }) => {
  const level = isNumber(command.profile) ? wholeOption(command.profile) : Number.NaN;
  const { sampleRate: rate, slowms, filter } = command;
  if (isNumber(rate) && !(toNumber(rate) >= 0 && toNumber(rate) <= 1)) throw badValue("'sampleRate' must be between 0.0 and 1.0 inclusive");
  if (filter !== undefined && filter !== 'unset' && !isDocument(filter)) throw badValue("'filter' has to be an object or 'unset'");
  const before = profiler.settingsOf(database);
  // Another level only asks.
  if (level === 0 || level === 1 || level === 2)
    await profiler.set(
      database,
      {
        level,
        slowms: isNumber(slowms) ? Math.trunc(toNumber(slowms)) : before.slowms,
        sampleRate: isNumber(rate) ? toNumber(rate) : before.sampleRate,
        filter: isDocument(filter)
          ? { shown: explicit(filter), matches: compileFilter(filter) }
          : filter === 'unset'
            ? undefined
            : before.filter,
      },
      operation,
    );
  const shown = before.filter ? { filter: before.filter.shown, note: SET_FILTER } : {};
  return { was: before.level, slowms: before.slowms, sampleRate: toDouble(before.sampleRate), ...shown };
};

/** A filter with `$eq` where it says so by a value alone. */
function explicit(filter: Doc): Doc {
  const isPlain = (name: string): boolean => {
    const condition = filter[name];
    return !name.startsWith('$') && !(isDocument(condition) && hasOperators(condition)) && typeName(condition) !== 'regex';
  };
  return Object.fromEntries(Object.keys(filter).map((name) => [name, isPlain(name) ? { $eq: filter[name] } : filter[name]]));
}

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
