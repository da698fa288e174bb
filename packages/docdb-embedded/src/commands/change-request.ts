import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { bool, checkDocument, choice, type Fields, object, oneOf } from '../declarations/field.ts';
import { stages } from '../declarations/stages.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import type { CommandContext } from './command.ts';
import { collectionNow } from './query-command.ts';

/** Stages that may follow `$changeStream`. */
const ALLOWED: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact',
  '$changeStreamSplitLargeEvent',
]);

const FIELDS: Fields = {
  fullDocument: choice(['default', 'updateLookup', 'whenAvailable', 'required']),
  fullDocumentBeforeChange: choice(['off', 'whenAvailable', 'required']),
  resumeAfter: object(),
  startAfter: object(),
  startAtOperationTime: oneOf(['timestamp']),
  allChangesForCluster: bool(),
  showExpandedEvents: bool(),
  showSystemEvents: bool(),
  allowToRunOnConfigDB: bool({ effect: 'refused' }),
};

/** What a change stream is asked for. */
export interface ChangeRequest {
  readonly spec: Doc;
  /** The stages that its events go through. */
  readonly stages: readonly Value[];
  /** Whether events that are too large come in parts. */
  readonly splits: boolean;
}

/**
 * Reads a pipeline that begins with `$changeStream`.
 *
 * @param ns the watched collection; `undefined` for a database, or for all
 * @throws DocDbError (2, 14, 20, 72, 73, 166, 40323, 40324, 40415, 40674, 50865, 6188500, 7182800, 7182802)
 */
export function changeRequest(context: CommandContext, pipeline: readonly Value[], ns: string | undefined): ChangeRequest {
  const [first, ...rest] = pipeline;
  const spec = isDocument(first) ? first.$changeStream : undefined;
  if (!isDocument(spec)) throw new DocDbError(6188500, '$changeStream must take a nested object');
  checkSpec(spec);
  checkTarget(context, spec, ns);
  const { readConcern } = context.command;
  if (isDocument(readConcern) && readConcern.level !== undefined && readConcern.level !== 'majority')
    throw new DocDbError(72, "$changeStream cannot run with a readConcern other than 'majority'");
  rest.forEach((stage, at) => {
    checkStage(stage, at === rest.length - 1);
  });
  const last = rest.at(-1);
  const splits = isDocument(last) && SPLIT in last;
  return { spec, stages: splits ? rest.slice(0, -1) : rest, splits };
}

const SPLIT = '$changeStreamSplitLargeEvent';

function checkSpec(spec: Doc): void {
  checkDocument(spec, FIELDS, '$changeStream');
  const given = (name: string): boolean => spec[name] !== undefined && spec[name] !== null;
  if (given('resumeAfter') && given('startAfter'))
    throw new DocDbError(50865, "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
  if ((given('resumeAfter') || given('startAfter')) && given('startAtOperationTime'))
    throw new DocDbError(40674, 'Only one type of resume option is allowed, but multiple were found.');
}

function checkTarget(context: CommandContext, { allChangesForCluster: all, showSystemEvents: system }: Doc, ns: string | undefined): void {
  const { database } = context;
  if (all === true && (database !== 'admin' || ns !== undefined))
    throw new DocDbError(
      72,
      "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with no collection name",
    );
  if (OWN_DATABASES.has(database) && all !== true)
    throw new DocDbError(73, `$changeStream may not be opened on the internal ${database} database`);
  if (ns === undefined) return;
  if (system !== true && ns.slice(database.length + 1).startsWith('system.'))
    throw new DocDbError(73, `$changeStream may not be opened on the internal ${ns} collection`);
  if (collectionNow(context, ns)?.isView === true) throw new DocDbError(166, `$changeStream is not supported on views: ${ns}`);
}

function checkStage(stage: Value, isLast: boolean): void {
  const [name = ''] = isDocument(stage) ? Object.keys(stage) : [];
  if (Object.hasOwn(stages, name) && !ALLOWED.has(name)) throw new DocDbError(20, `${name} is not permitted in a $changeStream pipeline`);
  if (!ALLOWED.has(name))
    throw new DocDbError(
      name.startsWith('$') ? 40324 : 40323,
      `Unrecognized pipeline stage name: '${name}' is not allowed in a change stream`,
    );
  if (name !== SPLIT) return;
  const operand = isDocument(stage) ? stage[name] : undefined;
  if (!isDocument(operand) || Object.keys(operand).length > 0) throw new DocDbError(7182800, `${SPLIT} spec should be an empty object`);
  if (!isLast) throw new DocDbError(7182802, `${SPLIT} must be the last stage in the pipeline`);
}

/** What a place in the log is that of: something up to which the log was read, an event, or what ended a stream. */
export type PlaceKind = 'reached' | 'event' | 'invalidate';

/** How tokens of each kind begin. */
const KINDS = { reached: '81', event: '82', invalidate: '83' } as const satisfies Record<PlaceKind, string>;

/** A place in the log. */
export interface Place {
  readonly seq: number;
  readonly kind: PlaceKind;
  /** The part of a split event; 0 for a whole one. */
  readonly fragment: number;
}

/** @returns a text that names a place in the log */
export function token(seq: number, { kind = 'event', fragment = 0 }: Partial<Omit<Place, 'seq'>> = {}): Doc {
  const part = fragment === 0 ? '' : hex(fragment, 4);
  return { _data: `${KINDS[kind]}${hex(seq, 16)}${part}` };
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/**
 * The place in the log that a text names.
 *
 * @throws DocDbError (260) for a text that names none
 */
export function readToken(value: Value): Place {
  const data = isDocument(value) ? value._data : undefined;
  const match = typeof data === 'string' ? /^(8[123])([0-9A-F]{16})([0-9A-F]{4})?$/.exec(data) : null;
  if (!match) throw new DocDbError(260, 'Bad resume token: _data of missing or of wrong type');
  const [, begin, seq = '', fragment = '0'] = match;
  const kind = begin === KINDS.reached ? 'reached' : begin === KINDS.event ? 'event' : 'invalidate';
  return { seq: Number.parseInt(seq, 16), kind, fragment: Number.parseInt(fragment, 16) };
}
