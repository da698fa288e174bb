import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { SEARCH_NOT_ENABLED, DocDbError } from '../../errors.ts';
import { compileExpression } from '../expression.ts';
import type { StageCompiler } from '../pipeline-types.ts';

const documents: StageCompiler = (operand, { scope }) => {
  const evaluate = compileExpression(operand, scope);
  return (_docs, vars) => {
    const list = evaluate({ root: {}, vars });
    if (!Array.isArray(list) || !(list as Value[]).every(isDocument))
      throw new DocDbError(5858203, 'an array of documents is expected for $documents');
    return list as Doc[];
  };
};

const collStats: StageCompiler =
  (_operand, { host }) =>
  () => {
    const { count, size } = host.collection(host.ns.slice(host.ns.indexOf('.') + 1)).stats();
    return [
      { ns: host.ns, localTime: new Date(), count, storageStats: { count, size, avgObjSize: count === 0 ? 0 : Math.round(size / count) } },
    ];
  };

const indexStats: StageCompiler =
  (_operand, { host }) =>
  () =>
    host
      .collection(host.ns.slice(host.ns.indexOf('.') + 1))
      .stats()
      .indexes.map((spec) => ({ name: spec.name, key: spec.key, accesses: { ops: 0n, since: new Date() }, spec }));

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
  $listLocalSessions:
    (_operand, { host }) =>
    () =>
      host.sessions(),
  $listSessions:
    (_operand, { host }) =>
    () =>
      host.sessions(),
  $currentOp: () => () => [],
  $geoNear: unsupported('$geoNear'),
  $listSearchIndexes: searchStage,
  $search: searchStage,
  $searchMeta: searchStage,
  $vectorSearch: searchStage,
  $planCacheStats: unsupported('$planCacheStats'),
};
