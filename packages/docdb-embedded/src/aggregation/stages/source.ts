import { wholeOption } from '../../bson/rounding.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { SEARCH_NOT_ENABLED, DocDbError } from '../../errors.ts';
import { compileExpression } from '../expression.ts';
import type { CollectionStats, PipelineHost, StageCompiler } from '../pipeline-types.ts';

const documents: StageCompiler = (operand, { scope }) => {
  const evaluate = compileExpression(operand, scope);
  return (_docs, vars) => {
    const list = evaluate({ root: {}, vars });
    if (!Array.isArray(list) || !(list as Value[]).every(isDocument))
      throw new DocDbError(5858203, 'an array of documents is expected for $documents');
    return list as Doc[];
  };
};

function ownStats(host: PipelineHost): CollectionStats {
  return host.collection(host.ns.slice(host.ns.indexOf('.') + 1)).stats();
}

const collStats: StageCompiler = (operand, { host }) => {
  const { count: counted, latencyStats, storageStats, queryExecStats } = operand as Doc;
  return () => {
    const stats = ownStats(host);
    // Null asks for a part of a collection that there is.
    const there = stats.options !== undefined && !stats.isView;
    const asked = (value: Value): boolean => value !== undefined && (value !== null || there);
    const stored = asked(counted) || asked(storageStats) || asked(queryExecStats);
    if (stats.isView && stored) throw new DocDbError(166, `Namespace ${host.ns} is a view, not a collection`);
    if (!stats.options && stored && !host.ns.endsWith('.system.views')) throw new DocDbError(26, `Collection [${host.ns}] not found.`);
    return [
      {
        ns: host.ns,
        host: host.address,
        localTime: new Date(),
        ...(isDocument(latencyStats) ? { latencyStats: host.latency() } : {}),
        ...(asked(storageStats) ? { storageStats: storage(stats, isDocument(storageStats) ? storageStats.scale : undefined) } : {}),
        ...(asked(counted) ? { count: stats.count } : {}),
        ...(isDocument(queryExecStats) ? { queryExecStats: { collectionScans: { total: 0n, nonTailable: 0n } } } : {}),
      },
    ];
  };
};

function storage({ count, size, indexes, options }: CollectionStats, given: Value): Doc {
  const scale = isNumber(given) ? Math.min(wholeOption(given), 2 ** 31 - 1) : 1;
  const capped = options?.capped === true;
  return {
    size: Math.floor(size / scale),
    count,
    ...(count === 0 ? {} : { avgObjSize: Math.round(size / count) }),
    numOrphanDocs: 0,
    storageSize: Math.floor(size / scale),
    freeStorageSize: 0,
    capped,
    ...(capped ? { max: options.max ?? 0, maxSize: isNumber(options.size) ? Math.trunc(Number(String(options.size))) : options.size } : {}),
    nindexes: indexes.length,
    indexBuilds: [],
    totalIndexSize: 0,
    totalSize: Math.floor(size / scale),
    indexSizes: Object.fromEntries(indexes.map(({ spec }) => [String(spec.name), 0])),
    scaleFactor: scale,
  };
}

const indexStats: StageCompiler =
  (_operand, { host }) =>
  () =>
    ownStats(host).indexes.map(({ spec, usage }) => ({
      name: spec.name,
      key: spec.key,
      accesses: { ops: BigInt(usage.operations), since: usage.since },
      host: host.address,
      spec,
    }));

/** Those of who asks, or of everybody; of named users there are none. */
const sessions: StageCompiler = (operand, { host }) => {
  const { users, allUsers } = operand as Doc;
  const named = Array.isArray(users) && (users as Value[]).some((user) => user !== null);
  if (allUsers === true && named) throw new DocDbError(12, '$listLocalSessions takes either allUsers or users, and not both');
  return () => (named ? [] : host.sessions(allUsers === true));
};

function unsupported(name: string): StageCompiler {
  return () => {
    throw new DocDbError(115, `The stage ${name} is not supported by this database. Use a MongoDB server for it`);
  };
}

function searchStage(): never {
  throw new DocDbError(31082, SEARCH_NOT_ENABLED);
}

/** Stages that make documents, and those that need a server of another kind. */
export const sourceStages: Readonly<Record<string, StageCompiler>> = {
  $documents: documents,
  $collStats: collStats,
  $indexStats: indexStats,
  $listLocalSessions: sessions,
  $listSessions: sessions,
  $listClusterCatalog:
    (_operand, { host }) =>
    () =>
      host.catalogue(),
  $currentOp:
    (operand, { host }) =>
    () =>
      host.operations(operand),
  // Only a collection that does not exist comes here.
  $geoNear: () => () => [],
  $listSearchIndexes: searchStage,
  $search: searchStage,
  $searchMeta: searchStage,
  $vectorSearch: searchStage,
  $planCacheStats: unsupported('$planCacheStats'),
};
