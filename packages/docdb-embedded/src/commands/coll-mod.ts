import { UUID } from 'bson';
import { toNumber } from '../bson/arithmetic.ts';
import { equal } from '../bson/compare.ts';
import { wholeOption } from '../bson/rounding.ts';
import { shownValue } from '../bson/shown-value.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { MOST_SECONDS } from '../declarations/index-spec.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Writer } from '../storage/writer.ts';
import { cappedSize } from './capped.ts';
import { changeCatalogue } from './change-catalogue.ts';
import { checkConvertible } from './check-convertible.ts';
import { checkOptions, checkViewChange, meaningful, OPTIONS, withoutNulls } from './collection-options.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { readingOf } from './query-command.ts';

/** `collMod` */
export const collMod: Command = async (context) => {
  const { command } = context;
  const ns = namespace(context);
  const changes = Object.fromEntries(
    OPTIONS.filter((name) => command[name] !== undefined && command[name] !== null).map((name) => [name, command[name]]),
  );
  if (changes.expireAfterSeconds === 'off') delete changes.expireAfterSeconds;
  withoutNulls(changes);
  checkOptions(changes);
  checkViewChange(context, ns, changes);
  const bounds = cappedChanges(command);
  const modify = (writer: Writer, told: IndexDefinition | undefined): Doc | undefined => {
    const collection = writer.reader.collection(ns);
    if (!collection) throw new DocDbError(26, `ns does not exist: ${ns}`);
    if (command.expireAfterSeconds !== undefined && !collection.isClustered)
      throw new DocDbError(72, "'expireAfterSeconds' of a collection is for clustered ones; others have it in an index");
    if (collection.isView && isDocument(command.index)) throw new DocDbError(72, `${ns} is a view, and has no indexes`);
    if (isDocument(command.index) && candidateOf(collection, command.index) !== told) return undefined;
    const indexes = isDocument(command.index) ? modifyIndex(collection, command.index) : undefined;
    if (isOn(command.dryRun)) return dryRun(command, { ...changes, ...bounds });
    const indexed = indexes ? writer.collections.modify(collection, { indexes }) : collection;
    const state = { uuid: new UUID(collection.uuid), ...collection.options };
    const before = { collectionOptions: state, ...(isDocument(command.index) ? indexOptions(collection, indexed, command.index) : {}) };
    const { expireAfterSeconds: _seconds, ...kept } = collection.options;
    const given = { ...(command.expireAfterSeconds === 'off' ? kept : collection.options), ...changes, ...bounds };
    const options = changes.validator === undefined ? given : { ...given, ...VALIDATION, ...validationOf(given) };
    const described = { ...changes, ...(indexed === collection ? {} : { index: command.index }), ...bounds };
    writer.collections.modify(
      indexed,
      { options: meaningful(options) },
      { kind: 'modify', ns, uuid: collection.uuid, details: { changes: described, ...(collection.isView ? { view: true } : { before }) } },
    );
    return indexed === collection ? {} : indexChanges(collection, indexed);
  };
  for (;;) {
    // No two documents get a key in common meanwhile: the index is kept from that. It is looked at again where it is another one by then.
    const told = await toldApart(context, ns);
    const done = await changeCatalogue(context, ns, (writer) => modify(writer, told));
    if (done) return done;
  }
};

/** @returns the index that a command makes unique, if it can become so where its keys are all different */
function candidateOf(collection: Collection, wanted: Doc): IndexDefinition | undefined {
  if (collection.isView || !isOn(wanted.unique) || (wanted.prepareUnique ?? undefined) !== undefined) return undefined;
  const index = indexNamed(collection, wanted);
  return !index.unique && isOn(index.spec.prepareUnique) ? index : undefined;
}

/**
 * Looks whether documents share a key of the index that a command makes unique, while others have their turn.
 *
 * @returns the index, if there is one
 * @throws DocDbError (359) where they do, and for what names no index
 */
async function toldApart(context: CommandContext, ns: string): Promise<IndexDefinition | undefined> {
  const { index: wanted } = context.command;
  const reading = readingOf(context);
  try {
    const collection = reading.reader.collection(ns);
    const index = collection && isDocument(wanted) ? candidateOf(collection, wanted) : undefined;
    if (collection && index) await checkConvertible(context, reading.reader, collection, index);
    return index;
  } finally {
    reading.release();
  }
}

/** The bounds of a capped collection, by the names that `collMod` has for them; the next insert keeps to them. */
function cappedChanges({ cappedSize: size, cappedMax: max }: Doc): Doc {
  return {
    ...(isNumber(size) ? { size: cappedSize(size) } : {}),
    ...(isNumber(max) ? { max: Math.max(0, wholeOption(max)) } : {}),
  };
}

/**
 * Changes nothing: whether an index could become unique is known by now.
 *
 * @throws DocDbError (72) for anything else
 */
function dryRun(command: Doc, changes: Doc): Doc {
  const { unique, ...others } = isDocument(command.index) ? command.index : {};
  const alone = Object.keys(others).every((name) => name === 'name' || name === 'keyPattern');
  if (!isOn(unique) || !alone || Object.keys(changes).length > 0)
    throw new DocDbError(72, "'dryRun' is for an index that is to become unique, and for nothing beside it");
  return {};
}

/** What of an index is on or off, also by a number. */
const FLAGS: ReadonlySet<string> = new Set(['hidden', 'unique', 'prepareUnique', 'forceNonUnique']);

/** @throws DocDbError (27, 72, 181, 6011800) for what names no index that can be changed, or several */
function indexNamed(collection: Collection, { name, keyPattern }: Doc): IndexDefinition {
  const [byName, byKey] = [name, keyPattern].map((given) => given !== undefined && given !== null);
  if (byName === byKey) throw new DocDbError(72, 'an index is named by its name or by its key, and not by both');
  // One that is still built is none yet.
  const fits = [...collection.indexes.values()].filter(
    (entry) => entry.ready && (byName === true ? entry.name === name : equal(entry.spec.key, keyPattern)),
  );
  const [index] = fits;
  if (collection.isClustered && index?.isId === true && byName === true)
    throw new DocDbError(6011800, 'the order of a clustered collection cannot be hidden or changed');
  if (!index || (collection.isClustered && index.isId))
    throw new DocDbError(27, `cannot find index ${byName === true ? String(name) : shownValue(keyPattern)} for ns ${collection.ns}`);
  if (fits.length > 1)
    throw new DocDbError(181, `index keyPattern ${shownValue(keyPattern)} matches ${String(fits.length)} indexes, must use index name`);
  return index;
}

/** @returns the indexes that a collection is to have */
function modifyIndex(collection: Collection, wanted: Doc): IndexDefinition[] {
  const index = indexNamed(collection, wanted);
  const { name: _name, keyPattern: _key, ...given } = wanted;
  const options: Doc = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, FLAGS.has(name) ? isOn(value) : value]),
  );
  if (Object.keys(options).length === 0)
    throw new DocDbError(
      72,
      'an index is modified by expireAfterSeconds, hidden, unique, prepareUnique or forceNonUnique; none of them is given',
    );
  if (index.isId && options.hidden === true) throw badValue("can't hide _id index");
  if (options.expireAfterSeconds !== undefined) checkExpiring(index, options.expireAfterSeconds);
  if (options.forceNonUnique !== undefined) checkNoMoreUnique(options);
  if (options.unique !== undefined) checkUnique(index, options);
  const spec = changedSpec(index.spec, options);
  return [...collection.indexes.values()].map((entry) => (entry === index ? index.with(spec) : entry));
}

function changedSpec(before: Doc, { forceNonUnique, ...options }: Doc): Doc {
  const { hidden, ...changed }: Doc = { ...before, ...options };
  if (forceNonUnique !== undefined || (isOn(changed.unique) && options.prepareUnique === undefined)) delete changed.prepareUnique;
  if (forceNonUnique !== undefined) delete changed.unique;
  return hidden === true ? { ...changed, hidden } : changed;
}

/** @throws DocDbError (2, 72) */
function checkNoMoreUnique({ forceNonUnique, unique, prepareUnique }: Doc): void {
  if (!isOn(forceNonUnique)) throw badValue("'forceNonUnique: false' is not supported");
  if (unique !== undefined || prepareUnique !== undefined)
    throw new DocDbError(72, "'forceNonUnique' is not for an index that is to be unique");
}

/** @throws DocDbError (72) for an index by which nothing can expire, and for a time that is none */
function checkExpiring({ isId, spec }: IndexDefinition, seconds: Value): void {
  if (isId || Object.keys(spec.key as Doc).length > 1)
    throw new DocDbError(72, 'TTL indexes are single-field indexes, and neither compound ones nor that of the id');
  const given = isNumber(seconds) ? Math.trunc(toNumber(seconds)) : Number.NaN;
  if (!(given >= 0 && given <= MOST_SECONDS))
    throw new DocDbError(72, `TTL index 'expireAfterSeconds' option must be a number from 0 to ${String(MOST_SECONDS)}`);
}

/** What `collMod` gives a collection whose documents were not checked before. */
const VALIDATION: Doc = { validationLevel: 'strict', validationAction: 'error' };

function validationOf({ validationLevel, validationAction }: Doc): Doc {
  return { ...(validationLevel === undefined ? {} : { validationLevel }), ...(validationAction === undefined ? {} : { validationAction }) };
}

/** How that was of an index which `collMod` has changed. */
function indexOptions(before: Collection, after: Collection, asked: Doc): Doc {
  const changed = [...before.indexes.values()].find(({ name, spec }) => after.indexes.get(name)?.spec !== spec);
  if (!changed) return {};
  const { expireAfterSeconds, hidden } = changed.spec;
  return {
    indexOptions: {
      ...(asked.expireAfterSeconds === undefined || expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
      ...(asked.hidden === undefined ? {} : { hidden: isOn(hidden) }),
    },
  };
}

/** What `collMod` tells of an index that it has changed: each option as it was, where it was there, and as it is. */
function indexChanges(before: Collection, after: Collection): Doc {
  const changes: Doc = {};
  for (const { name, spec: now } of after.indexes.values()) {
    const { spec } = before.indexes.get(name) ?? {};
    const { expireAfterSeconds: seconds } = now;
    if (isNumber(seconds) && !equal(spec?.expireAfterSeconds, seconds)) {
      if (isNumber(spec?.expireAfterSeconds)) changes.expireAfterSeconds_old = BigInt(wholeOption(spec.expireAfterSeconds));
      changes.expireAfterSeconds_new = BigInt(wholeOption(seconds));
    }
    for (const flag of ['hidden', 'prepareUnique']) {
      if (isOn(spec?.[flag]) === isOn(now[flag])) continue;
      changes[`${flag}_old`] = isOn(spec?.[flag]);
      changes[`${flag}_new`] = isOn(now[flag]);
    }
    if (isOn(now.unique) && !isOn(spec?.unique)) changes.unique_new = true;
    if (isOn(spec?.unique) && !isOn(now.unique)) changes.forceNonUnique_new = true;
  }
  return changes;
}

/** @throws DocDbError (2, 72) for an index that can not become unique, or not yet */
function checkUnique(index: IndexDefinition, { unique, prepareUnique }: Doc): void {
  if (!isOn(unique)) throw badValue("'unique: false' option is not supported");
  if (index.unique) return;
  if (prepareUnique !== undefined || !isOn(index.spec.prepareUnique))
    throw new DocDbError(72, "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.");
}
