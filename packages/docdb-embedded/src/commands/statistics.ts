import { createHash } from 'node:crypto';
import { toNumber } from '../bson/arithmetic.ts';
import { UUID } from 'bson';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, toDouble, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { pathValues } from '../query/path-values.ts';
import { isTruthy } from '../query/truthy.ts';
import type { Collection } from '../storage/collection.ts';
import { type Command, type CommandContext, countField, namespace, type ServerState } from './command.ts';
import { collectionsOf } from './catalog.ts';
import { memberOf } from './server-info.ts';
import { SERVER_VERSION } from './server-version.ts';
import { collectionNow, readingOf } from './query-command.ts';

/** What is counted of some collections. */
function sizes(
  context: CommandContext,
  collections: readonly (Collection | undefined)[],
): { readonly count: number; readonly bytes: number } {
  const reading = context.server.store.read();
  const all = collections.map((collection) => (collection ? reading.reader.sizeOf(collection) : { count: 0, bytes: 0 }));
  reading.release();
  return {
    count: all.reduce((total, { count }) => total + count, 0),
    bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  };
}

/** Largest number that sizes are divided by. */
const LARGEST_SCALE = 2 ** 31 - 1;

function scaleOf({ command }: CommandContext): number {
  return Math.min(countField(command, 'scale') ?? 1, LARGEST_SCALE);
}

/** `collStats` */
export const collStats: Command = (context) => {
  const ns = namespace(context);
  const collection = collectionNow(context, ns);
  if (collection?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  const { count, bytes } = sizes(context, [collection]);
  const scale = scaleOf(context);
  const capped = collection?.options.capped === true;
  return {
    ns,
    size: Math.floor(bytes / scale),
    count,
    ...(count === 0 ? {} : { avgObjSize: Math.round(bytes / count) }),
    numOrphanDocs: 0,
    storageSize: Math.floor(bytes / scale),
    freeStorageSize: 0,
    totalIndexSize: 0,
    totalSize: Math.floor(bytes / scale),
    nindexes: collection?.indexCount ?? 0,
    indexSizes: Object.fromEntries([...(collection?.indexes.keys() ?? [])].map((name) => [name, 0])),
    capped,
    ...(capped ? { max: collection.options.max ?? 0, maxSize: collection.options.size } : {}),
    scaleFactor: scale,
  };
};

/** `dbStats` */
export const dbStats: Command = (context) => {
  const all = collectionsOf(context);
  const stored = all.filter((collection) => !collection.isView);
  const { count, bytes } = sizes(context, stored);
  const scale = scaleOf(context);
  return {
    db: context.database,
    collections: BigInt(stored.length),
    views: BigInt(all.length - stored.length),
    objects: BigInt(count),
    avgObjSize: toDouble(count === 0 ? 0 : bytes / count),
    dataSize: toDouble(bytes / scale),
    storageSize: toDouble(bytes / scale),
    indexes: BigInt(stored.reduce((total, collection) => total + collection.indexCount, 0)),
    indexSize: toDouble(0),
    totalSize: toDouble(bytes / scale),
    scaleFactor: BigInt(scale),
    ...(context.command.freeStorage === undefined ||
    context.command.freeStorage === null ||
    toNumber(Number(context.command.freeStorage)) === 0
      ? {}
      : { freeStorageSize: toDouble(0), indexFreeStorageSize: toDouble(0), totalFreeStorageSize: toDouble(0) }),
  };
};

/** `dataSize` */
export const dataSize: Command = async (context) => {
  const { command, name, operation } = context;
  const ns = command[name] as string;
  if (!/^[^.]+\../.test(ns)) throw new DocDbError(73, `Invalid namespace specified '${ns}'`);
  const { min, max } = command;
  if ((min === null || min === undefined) !== (max === null || max === undefined)) throw badValue('only one of min or max specified');
  const reading = readingOf(context);
  const started = Date.now();
  try {
    const collection = reading.reader.collection(ns);
    if (collection?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
    if (!collection) return { size: 0n, numObjects: 0n, millis: 0n };
    const field = isDocument(min) && isDocument(max) ? boundsOf(command, collection, min, max) : undefined;
    const most = { size: boundOf(command.maxSize), count: boundOf(command.maxObjects) };
    if (!field && most.size === Infinity && most.count === Infinity) {
      const { count, bytes } = reading.reader.sizeOf(collection);
      return { estimate: command.estimate === true, size: BigInt(bytes), numObjects: BigInt(count), millis: BigInt(Date.now() - started) };
    }
    let size = 0n;
    let count = 0n;
    let maxReached = false;
    for (const { doc, bytes } of reading.reader.scan(collection, false)) {
      if (!field || field(doc)) {
        size += BigInt(bytes.length);
        count += 1n;
      }
      maxReached = size > most.size || count > most.count;
      if (maxReached) break;
      await operation.turn();
    }
    const reached = maxReached ? { maxReached } : {};
    return { estimate: false, size, numObjects: count, ...reached, millis: BigInt(Date.now() - started) };
  } finally {
    reading.release();
  }
};

/** Without a bound above 0 there is none. */
function boundOf(value: Value): number {
  return isNumber(value) && toNumber(value) > 0 ? toNumber(value) : Infinity;
}

function boundsOf(command: Doc, collection: Collection, min: Doc, max: Doc): (doc: Doc) => boolean {
  const [name = ''] = Object.keys(min);
  const pattern = isDocument(command.keyPattern) && Object.keys(command.keyPattern).length > 0 ? command.keyPattern : { [name]: 1 };
  const index = [...collection.indexes.values()].find(
    (entry) => compare(Object.keys(entry.spec.key as Doc)[0], Object.keys(pattern)[0]) === 0,
  );
  if (!index || Object.keys(max)[0] !== name) throw new DocDbError(96, "couldn't find valid index containing key pattern");
  const path = name.split('.');
  return (doc) => pathValues(doc, path).some((value: Value) => compare(value, min[name]) >= 0 && compare(value, max[name]) < 0);
}

/** `dbHash`: the same for two databases that hold the same documents. */
export const dbHash: Command = async (context) => {
  const { command, database, operation, server } = context;
  const wanted = Array.isArray(command.collections) && command.collections.length > 0 ? (command.collections as Value[]) : undefined;
  if (wanted?.some((name) => typeof name !== 'string') === true) throw badValue("'collections' has to be a list of names");
  const started = Date.now();
  const reading = readingOf(context);
  const hashes: Doc = {};
  const uuids: Doc = {};
  const capped: string[] = [];
  try {
    const all = collectionsOf(context).filter((collection) => !collection.isView);
    for (const collection of all.sort((a, b) => (a.ns < b.ns ? -1 : 1))) {
      const name = collection.ns.slice(database.length + 1);
      if (wanted && !wanted.includes(name)) continue;
      const hash = createHash('md5');
      for (const { bytes } of reading.reader.scan(collection, false)) {
        hash.update(bytes);
        await operation.turn();
      }
      hashes[name] = hash.digest('hex');
      uuids[name] = new UUID(collection.uuid);
      if (collection.options.capped === true) capped.push(name);
    }
  } finally {
    reading.release();
  }
  const md5 = createHash('md5').update(Object.values(hashes).join('')).digest('hex');
  return { host: server.address, collections: hashes, capped, uuids, md5, timeMillis: BigInt(Date.now() - started) };
};

function networkOf(server: ServerState): Doc {
  const { bytesIn, bytesOut, requests } = server.traffic();
  return { bytesIn: BigInt(bytesIn), bytesOut: BigInt(bytesOut), numRequests: BigInt(requests) };
}

/** `top`: what the collections were used for. */
export const top: Command = ({ server }) => ({
  totals: server.operations.usage.totals((ns) => server.store.newest.collection(ns) !== undefined),
});

/** Connections that a server takes where nothing else is set. */
const MOST_CONNECTIONS = 1_000_000;

/** `serverStatus` */
export const serverStatus: Command = (context) => {
  const { server, command } = context;
  const collections = server.store.newest.collections();
  const passed = Date.now() - server.started;
  const { rss } = process.memoryUsage();
  const sections: Doc = {
    asserts: { regular: 0, warning: 0, msg: 0, user: 0, rollovers: 0 },
    catalogStats: {
      collections: collections.filter((collection) => !collection.isView).length,
      capped: collections.filter((collection) => collection.options.capped === true).length,
      views: collections.filter((collection) => collection.isView).length,
      timeseries: 0,
      internalCollections: 0,
      internalViews: 0,
    },
    connections: {
      current: server.connections.size,
      active: server.operations.list().length,
      available: MOST_CONNECTIONS - server.connections.size,
      totalCreated: server.connectionsMade(),
      rejected: server.admissions.rejected,
      queuedForEstablishment: BigInt(server.admissions.queued),
      establishmentRateLimit: { rejected: BigInt(server.admissions.rejected), exempted: 0n, interruptedDueToClientDisconnect: 0n },
    },
    extra_info: { note: 'fields vary by platform' },
    globalLock: {
      totalTime: BigInt(passed * 1000),
      currentQueue: { total: 0, readers: 0, writers: 0 },
      activeClients: { total: server.operations.list().length, readers: 0, writers: 0 },
    },
    locks: {},
    mem: { bits: 64, resident: Math.round(rss / 2 ** 20), virtual: Math.round(rss / 2 ** 20), supported: true },
    metrics: {
      cursor: { open: { total: BigInt(server.cursors.open) } },
      queryExecutor: { scannedObjects: BigInt(server.store.engine.examined) },
    },
    // What nothing is counted of is asked for by name.
    ...(command.mirroredReads === undefined ? {} : { mirroredReads: { seen: 0n, sent: 0n } }),
    network: networkOf(server),
    opcounters: { ...server.operations.counts },
    repl: { isWritablePrimary: true, ...memberOf(server) },
    opcountersRepl: { insert: 0n, query: 0n, update: 0n, delete: 0n, getmore: 0n, command: 0n },
    logicalSessionRecordCache: { activeSessionsCount: server.sessions.list().length },
    storageEngine: { name: 'docdb-embedded', persistent: true },
    transactions: { currentOpen: BigInt(server.store.openTransactions.size) },
  };
  const shown = Object.entries(sections).filter(([name]) => command[name] === undefined || isTruthy(command[name]));
  return {
    host: server.address,
    version: SERVER_VERSION,
    // Tools tell a server that has the data from a router by it.
    process: 'mongod',
    pid: BigInt(process.pid),
    uptime: toDouble(Math.round(passed / 1000)),
    uptimeMillis: BigInt(passed),
    uptimeEstimate: BigInt(Math.round(passed / 1000)),
    localTime: new Date(),
    ...Object.fromEntries(shown),
  };
};
