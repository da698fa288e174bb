import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { stages } from '../declarations/stages.ts';
import type { Need } from './roles.ts';

/** Where a pipeline runs. */
export interface PipelinePlace {
  readonly db: string;
  /** Empty for pipelines without a collection. */
  readonly collection: string;
  /** What who runs it needs where it writes, beside what the stage needs that does. */
  readonly writing?: readonly string[];
}

type StageNeeds = (operand: Value, place: PipelinePlace) => Need[];

/** Stages that see no more than the documents that come to them. */
const PLAIN: ReadonlySet<string> = new Set([
  '$addFields',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$densify',
  '$documents',
  '$fill',
  '$geoNear',
  '$group',
  '$limit',
  '$match',
  '$project',
  '$rankFusion',
  '$redact',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$set',
  '$setWindowFields',
  '$skip',
  '$sort',
  '$sortByCount',
  '$unset',
  '$unwind',
]);

/** @returns what is about the server, and no database */
export const onServer = (action: string): Need[] => [{ action, db: undefined, collection: '' }];
/** What is one's own needs no more than a login. */
const ofOthers = (operand: Value): boolean => isDocument(operand) && (operand.allUsers === true || operand.users !== undefined);
const onPlace =
  (action: string): StageNeeds =>
  (_, place) => [{ action, ...place }];

const READS_OTHERS: Readonly<Record<string, StageNeeds>> = {
  $lookup: (operand, place) =>
    reads(isDocument(operand) ? operand.from : operand, isDocument(operand) ? operand.pipeline : undefined, place),
  $graphLookup: (operand, place) => reads(isDocument(operand) ? operand.from : operand, undefined, place),
  $unionWith: (operand, place) => reads(operand, isDocument(operand) ? operand.pipeline : undefined, place),
  $facet: (operand, place) => (isDocument(operand) ? Object.values(operand).flatMap((pipeline) => pipelineNeeds(pipeline, place)) : []),
  $out: (operand, place) => writes(operand, ['insert', 'remove'], place),
  $merge: (operand, place) =>
    writes(isDocument(operand) && operand.into !== undefined ? operand.into : operand, ['insert', 'update'], place),
  $currentOp: (operand) => (ofOthers(operand) ? onServer('inprog') : []),
  $listLocalSessions: (operand) => (ofOthers(operand) ? onServer('listSessions') : []),
  $listSessions: (operand) => (ofOthers(operand) ? onServer('listSessions') : []),
  $listClusterCatalog: () => onServer('inprog'),
  $collStats: onPlace('collStats'),
  $indexStats: onPlace('indexStats'),
  $planCacheStats: onPlace('planCacheRead'),
  $listSearchIndexes: onPlace('listSearchIndexes'),
  $changeStream: (operand, place) => {
    const all = isDocument(operand) && operand.allChangesForCluster === true;
    const seen = all ? { db: '', collection: '' } : place;
    return [
      { action: 'changeStream', ...seen },
      { action: 'find', ...seen },
    ];
  },
};

function reads(from: Value, pipeline: Value, place: PipelinePlace): Need[] {
  const seen = from === undefined ? undefined : namedPlace(from, place);
  return [...(seen ? [{ action: 'find', ...seen }] : []), ...(pipeline === undefined ? [] : pipelineNeeds(pipeline, seen ?? place))];
}

function writes(target: Value, actions: readonly string[], place: PipelinePlace): Need[] {
  const seen = namedPlace(target, place);
  return seen ? [...actions, ...(place.writing ?? [])].map((action) => ({ action, ...seen })) : [];
}

/** What names no collection is refused by the stage itself. */
function namedPlace(value: Value, { db }: PipelinePlace): PipelinePlace | undefined {
  if (typeof value === 'string') return { db, collection: value };
  if (!isDocument(value) || typeof value.coll !== 'string') return undefined;
  if (value.db !== undefined && typeof value.db !== 'string') throw new DocDbError(9, "the 'db' of a stage has to be a text");
  return { db: typeof value.db === 'string' && value.db !== '' ? value.db : db, collection: value.coll };
}

/**
 * What has to be allowed to whoever runs a pipeline, beside reading the collection that it begins with.
 *
 * @throws DocDbError (13) for a stage of which nobody has said what it needs
 */
export function pipelineNeeds(pipeline: Value, place: PipelinePlace): Need[] {
  if (!Array.isArray(pipeline)) return [];
  return (pipeline as Value[]).filter(isDocument).flatMap((stage: Doc) =>
    Object.keys(stage).flatMap((name) => {
      // Others do not run.
      if (PLAIN.has(name) || !Object.hasOwn(stages, name)) return [];
      const needs = Object.hasOwn(READS_OTHERS, name) ? READS_OTHERS[name] : undefined;
      if (!needs) throw new DocDbError(13, `The stage ${name} is not available while authentication is on`);
      return needs(stage[name], place);
    }),
  );
}

/** Stages that begin a pipeline which reads no collection itself. */
const SOURCES: ReadonlySet<string> = new Set([
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$documents',
  '$indexStats',
  '$listClusterCatalog',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
]);

/** @returns whether a pipeline reads the documents of its collection */
export function readsCollection(pipeline: Value): boolean {
  const first: Value = Array.isArray(pipeline) ? (pipeline[0] as Value) : undefined;
  return !isDocument(first) || !Object.keys(first).some((name) => SOURCES.has(name));
}
