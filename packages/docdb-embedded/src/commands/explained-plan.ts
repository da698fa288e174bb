import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { equality } from '../query/any-of.ts';
import { hasOperators } from '../query/value-tests.ts';
import { limitOf } from '../spill/memory.ts';
import type { Collection } from '../storage/collection.ts';
import type { DistinctScan } from '../storage/distinct-values.ts';
import type { CollectionQuery, FindStats } from '../storage/find-documents.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Plan } from '../storage/plan.ts';
import { isCovered } from './covered-plan.ts';
import { boundsOf } from './explained-bounds.ts';

/** What a plan did when it was tried. */
export interface PlanCounts extends FindStats {
  readonly nReturned: number;
  readonly milliseconds: number;
}

/** What is told of a plan. */
export interface ExplainedPlan {
  readonly plan: Plan;
  readonly collection: Collection | undefined;
  readonly query: CollectionQuery;
  /** Whether a search for one id goes past everything else, as those of `find` and `aggregate` do. */
  readonly express: boolean;
  /** What it did, where it was tried. */
  readonly counts?: PlanCounts | undefined;
}

/** What one stage did. */
interface Work {
  readonly advanced: number;
  readonly needTime: number;
  /** Whether it was asked for no more before its end. */
  readonly stopped: boolean;
}

/** @returns the stages by which documents are found, put in order and shown; each with what it did, where the plan was tried */
export function explainedPlan(told: ExplainedPlan): Doc {
  const { plan, query, counts } = told;
  const { sort, skip, limit, projection } = query;
  const isId = isSearchOfId(told);
  const covered = told.collection !== undefined && isCovered(plan, told.collection, query);
  const kind = projectionStage(projection, covered);
  if (told.express && isId && skip === 0 && kind !== 'PROJECTION_DEFAULT') return expressStage(told);
  const isSorted = isId || sort.length === 0 || (plan.kind === 'index' && plan.sorted);
  const most = skip + limit;
  const stopped = isSorted && counts !== undefined && counts.matched >= most;
  const found = counts?.matched ?? 0;
  const returned = counts?.nReturned ?? 0;
  const done = (advanced: number, needTime: number, isStopped = stopped): Doc =>
    counts ? workFields({ advanced, needTime, stopped: isStopped }, counts) : {};
  let stage = accessStage(told, { isId, stopped, covered });
  if (!isSorted)
    stage = {
      stage: 'SORT',
      ...done(Math.min(found, most), worksOf(stage), false),
      sortPattern: sortPattern(query),
      memLimit: limitOf({ allowDiskUse: query.allowDiskUse !== false }),
      ...(most < Infinity ? { limitAmount: most } : {}),
      type: covered || sort.some(({ textScore }) => textScore) ? 'default' : 'simple',
      inputStage: stage,
    };
  if (skip > 0) stage = { stage: 'SKIP', ...done(returned, Math.min(skip, found)), skipAmount: skip, inputStage: stage };
  if (kind) stage = { stage: kind, ...done(returned, waitOf(stage)), transformBy: projection, inputStage: stage };
  if (isSorted && !isId && limit < Infinity)
    stage = { stage: 'LIMIT', ...done(returned, waitOf(stage), false), limitAmount: limit, inputStage: stage };
  return stage;
}

/** Of a stage that was not tried it is nothing. */
function worksOf({ works }: Doc): number {
  return typeof works === 'number' ? works : 0;
}

function waitOf({ needTime }: Doc): number {
  return typeof needTime === 'number' ? needTime : 0;
}

/** The time is that of the whole search: its stages work a little at a time in turns. */
export function workFields({ advanced, needTime, stopped }: Work, { milliseconds }: Pick<PlanCounts, 'milliseconds'>): Doc {
  return {
    nReturned: advanced,
    executionTimeMillisEstimate: milliseconds,
    works: advanced + needTime + (stopped ? 0 : 1),
    advanced,
    needTime,
    needYield: 0,
    saveState: 0,
    restoreState: 0,
    isEOF: stopped ? 0 : 1,
  };
}

/** @returns the stages by which the values of a field are found in an index; with what was done, where that was tried */
export function explainedDistinct({ index, values }: DistinctScan, milliseconds: number | undefined): Doc {
  const field = index.fields[0]?.name ?? '';
  const done = milliseconds === undefined ? {} : workFields({ advanced: values.length, needTime: 0, stopped: false }, { milliseconds });
  return {
    stage: 'PROJECTION_COVERED',
    ...done,
    transformBy: { [field]: 1, ...(field === '_id' ? {} : { _id: 0 }) },
    inputStage: {
      stage: 'DISTINCT_SCAN',
      ...done,
      ...toldOf(index),
      direction: 'forward',
      indexBounds: boundsOf(index, [{ equal: [], low: undefined, high: undefined }], false),
      ...(milliseconds === undefined ? {} : { keysExamined: values.length }),
    },
  };
}

/** What is told of an index that is read. */
function toldOf(index: IndexDefinition): Doc {
  const { spec } = index;
  return {
    keyPattern: spec.key,
    indexName: index.name,
    ...(spec.collation === undefined ? {} : { collation: spec.collation }),
    isMultiKey: index.facts.multikey,
    ...multiKeyPaths(index),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    indexVersion: 2,
  };
}

/** @returns whether a query asks for one id and nothing else */
function isSearchOfId({ plan, query: { filter, hint } }: ExplainedPlan): boolean {
  if (hint !== undefined && hint !== null) return false;
  return plan.kind === 'id' && plan.ids.length === 1 && Object.keys(filter).join() === '_id' && equality(filter._id) !== undefined;
}

function expressStage({ collection, counts }: ExplainedPlan): Doc {
  const did = counts ? { keysExamined: counts.keysExamined, docsExamined: counts.docsExamined, nReturned: counts.nReturned } : {};
  return collection?.isClustered === true
    ? { stage: 'EXPRESS_CLUSTERED_IXSCAN', ...did }
    : { stage: 'EXPRESS_IXSCAN', keyPattern: '{ _id: 1 }', indexName: '_id_', ...did };
}

/** How a plan is gone through. */
interface Access {
  readonly isId: boolean;
  readonly stopped: boolean;
  /** Whether the keys alone are enough. */
  readonly covered: boolean;
}

/** How documents are found. */
function accessStage(told: ExplainedPlan, { isId, stopped, covered }: Access): Doc {
  const { plan, collection, query, counts } = told;
  if (!collection) return { stage: 'EOF', ...(counts ? workFields({ advanced: 0, needTime: 0, stopped: false }, counts) : {}) };
  const { filter } = query;
  const examined = counts ? { docsExamined: counts.docsExamined } : {};
  const keys = counts ? { keysExamined: counts.keysExamined } : {};
  const done = (all: number, advanced: number): Doc =>
    counts ? workFields({ advanced, needTime: Math.max(0, all - advanced), stopped }, counts) : {};
  const scanned = done(counts?.docsExamined ?? 0, counts?.matched ?? 0);
  const shown = (rest: Doc): Doc => (Object.keys(rest).length > 0 ? { filter: rest } : {});
  const direction = plan.kind !== 'id' && plan.reverse ? 'backward' : 'forward';
  if (collection.isClustered && (plan.kind === 'id' || (plan.kind === 'index' && plan.index.isId)))
    return { stage: 'CLUSTERED_IXSCAN', ...shown(filter), ...scanned, direction, ...examined };
  if (plan.kind === 'scan') return { stage: 'COLLSCAN', ...shown(filter), ...scanned, direction, ...examined };
  if (isId) return { stage: 'IDHACK', ...scanned, ...keys, ...examined };
  const index = plan.kind === 'id' ? collection.ids : plan.index;
  const ranges = plan.kind === 'id' ? plan.ids.map((id) => ({ equal: [id], low: undefined, high: undefined })) : plan.ranges;
  const all = counts?.keysExamined ?? 0;
  const rest = shown(plan.kind === 'id' ? without(filter, ['_id']) : restOf(filter, plan));
  const scan = {
    ...toldOf(index),
    direction,
    ...(index.isDerived ? {} : { indexBounds: boundsOf(index, ranges, direction === 'backward') }),
    ...keys,
    ...(counts ? { seeks: ranges.length } : {}),
  };
  if (covered) return { stage: 'IXSCAN', ...rest, ...done(all, counts?.matched ?? 0), ...scan };
  const inputStage = { stage: 'IXSCAN', ...done(all, all), ...scan };
  return { stage: 'FETCH', ...rest, ...done(all, counts?.matched ?? 0), ...examined, inputStage };
}

/** Which of several fields, or which part of a path, holds lists is not known: then nothing is told, as of indexes of old servers. */
function multiKeyPaths({ fields, facts }: IndexDefinition): Doc {
  const [only] = fields;
  if (only === undefined) return {};
  if (!facts.multikey) return { multiKeyPaths: Object.fromEntries(fields.map(({ name }) => [name, []])) };
  return fields.length === 1 && only.path.length === 1 ? { multiKeyPaths: { [only.name]: [only.name] } } : {};
}

/** @returns the conditions that the keys of an index do not decide */
function restOf(filter: Doc, plan: Plan & { kind: 'index' }): Doc {
  const { index, ranges } = plan;
  const [range] = ranges;
  if (index.isDerived || !range) return filter;
  const bound = range.equal.length;
  const decided = index.fields.filter(({ name }, at) => {
    const condition = filter[name];
    if (at < bound) return equality(condition) !== undefined && equality(condition) !== null;
    return at === bound && !index.facts.multikey && (range.low ?? range.high) !== undefined && hasOnly(condition, COMPARISONS);
  });
  const listed = index.fields.slice(0, bound).filter(({ name }) => hasOnly(filter[name], LISTS));
  return without(
    filter,
    [...decided, ...listed].map(({ name }) => name),
  );
}

const COMPARISONS: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);
const LISTS: ReadonlySet<string> = new Set(['$in']);

function hasOnly(condition: Value, operators: ReadonlySet<string>): boolean {
  return isDocument(condition) && hasOperators(condition) && Object.keys(condition).every((name) => operators.has(name));
}

function without(filter: Doc, names: readonly string[]): Doc {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));
}

function sortPattern({ sort }: CollectionQuery): Doc {
  return Object.fromEntries(sort.map(({ name, direction, meta }) => [name, meta === undefined ? direction : { $meta: meta }]));
}

/** @returns the stage that shows a part of documents; whole fields are simple */
function projectionStage(projection: Doc | undefined, covered: boolean): string | undefined {
  const names = Object.keys(projection ?? {});
  if (!projection || names.length === 0) return undefined;
  const isSimple = names.every((name) => !name.includes('.') && (isNumber(projection[name]) || typeof projection[name] === 'boolean'));
  if (!isSimple) return 'PROJECTION_DEFAULT';
  return covered ? 'PROJECTION_COVERED' : 'PROJECTION_SIMPLE';
}
