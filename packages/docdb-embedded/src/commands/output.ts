import { randomUUID } from 'node:crypto';
import type { PipelineContext, PipelineStep, Vars } from '../aggregation/pipeline-types.ts';
import { mergedDocument, mergeFilter, mergeRules, type MergeRules, outputTarget, type OutputTarget } from '../aggregation/stages/output.ts';
import { type Collator, sameCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { identical } from '../bson/identical.ts';
import { type Doc, ObjectId } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { checkDatabaseName } from '../storage/database-name.ts';
import { findSteps } from '../storage/find-documents.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import { duplicateKey } from '../storage/duplicate-key.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Reader } from '../storage/reader.ts';
import type { Stored } from '../storage/stored.ts';
import type { Writer } from '../storage/writer.ts';
import { announceIndexes } from './build-indexes.ts';
import { changeCatalogue } from './change-catalogue.ts';
import { checkValidator } from './check-validator.ts';
import type { CommandContext } from './command.ts';
import { collationOf, compileCommandFilter } from './query-command.ts';
import { withIdFirst, withTimes } from '../update/whole-document.ts';
import { eachPatiently, eachUntilError } from './write-loop.ts';

/** Begins the names of collections that `$out` fills before they take the place of others. Anybody may give such a name: an option tells them. */
const TEMPORARY = 'tmp.agg_out.';

/** Writes what a pipeline gives: the `$out` or `$merge` at its end. */
export async function writeOutput(
  context: CommandContext,
  step: PipelineStep,
  steps: AsyncIterable<Doc[]>,
  pipeline: PipelineContext,
  vars: Vars,
): Promise<void> {
  if (step.name === '$out')
    await replaceCollection(context, namespaceOf(context, outputTarget('$out', step.operand)), steps, {
      validated: true,
      published: true,
    });
  else await merge(context, mergeRules(step.operand, pipeline), steps, pipeline, vars);
}

/** Bytes of the name of a collection with that of its database. */
const MOST_NAME = 255;

/** @throws DocDbError (73) for a name that no collection can have, and 20 for one that is too long beside that of its database */
function namespaceOf(context: CommandContext, target: OutputTarget): string {
  const database = typeof target.database === 'string' && target.database !== '' ? target.database : context.database;
  checkDatabaseName(database);
  const ns = `${database}.${target.name}`;
  if (Buffer.byteLength(ns) > MOST_NAME)
    throw new DocDbError(20, `the names of a database and a collection may have ${String(MOST_NAME)} bytes together`);
  checkNamespace(ns);
  return ns;
}

function withId(doc: Doc): Doc {
  return withIdFirst('_id' in doc ? doc : { _id: new ObjectId(), ...doc });
}

/** How a collection takes the place of another one. */
interface Replacement {
  /** Options of the new collection, which has no index then; without them it has options and indexes of the old one. */
  readonly options?: Doc;
  /** Whether its documents have to pass its validator. */
  readonly validated: boolean;
  /** Whether change streams hear of what it is filled with, by the name that it has until then, and not of its new name alone. */
  readonly published: boolean;
  /** Runs before the new collection takes the place of the old one, if there is one by then, maybe several times; throws where it is not to. */
  readonly settle?: (writer: Writer, made: Collection, old: Collection | undefined) => void;
}

/**
 * Puts documents in the place of a collection. The new one is filled beside the old one, which stays as it was when a
 * document does not fit.
 *
 * @throws DocDbError (121, 166, 11000, 17152, …)
 */
export async function replaceCollection(
  context: CommandContext,
  ns: string,
  steps: AsyncIterable<Doc[]>,
  { options, validated, published, settle }: Replacement,
): Promise<void> {
  const {
    server: { store },
    operation,
  } = context;
  const temporary = `${ns.slice(0, ns.indexOf('.'))}.${TEMPORARY}${randomUUID()}`;
  const replaced = await store.write(
    (writer) => {
      const old = writer.reader.collection(ns);
      if (old?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
      if (!options && old?.isCapped === true) throw new DocDbError(17152, `namespace '${ns}' is capped so it can't be used for $out`);
      const indexes = (options ? [] : [...(old?.indexes.values() ?? [])]).filter((index) => !index.isId).map(({ spec }) => spec);
      const made = writer.collections.create(temporary, { ...(options ?? old?.options), temp: true }, undefined, published);
      if (indexes.length > 0) {
        const all = [...made.indexes.values(), ...indexes.map((spec) => store.newIndex(spec))];
        writer.collections.modify(made, { indexes: all }, published ? announceIndexes(made, indexes) : undefined);
      }
      return old;
    },
    false,
    operation,
  );
  try {
    for await (const docs of steps)
      await eachPatiently(context, docs.length, (writer, at) => {
        const made = writer.collectionFor(temporary, undefined);
        const doc = withId(docs[at] as Doc);
        if (validated) checkValidator(context, made, doc);
        writer.insert(made, doc, undefined, published);
      });
    await changeCatalogue(context, ns, (writer) => {
      const old = writer.reader.collection(ns);
      if (!options && old && !isAs(old, replaced))
        throw new DocDbError(125, `options or indexes of ${ns} changed while $out was writing: run it again`);
      const made = writer.collectionFor(temporary, undefined);
      settle?.(writer, made, old);
      writer.collections.rename(made, ns, old);
    });
  } catch (error) {
    const work = (writer: Writer): void => {
      const made = writer.reader.collection(temporary);
      if (made) writer.collections.drop(made, published);
    };
    await operation.behind(store.write(work, true));
    throw error;
  }
}

/** Whether options and indexes of a collection are those that it had. */
function isAs(now: Collection, before: Collection | undefined): boolean {
  const specs = (of: Collection): Doc[] => [...of.indexes.values()].map(({ spec }) => spec);
  return before !== undefined && equal(now.options, before.options) && equal(specs(now), specs(before));
}

async function merge(
  context: CommandContext,
  rules: MergeRules,
  steps: AsyncIterable<Doc[]>,
  pipeline: PipelineContext,
  vars: Vars,
): Promise<void> {
  const { operation } = context;
  const ns = namespaceOf(context, rules.target);
  const kind = rules.matched === 'replace' ? 'replace' : 'update';
  for await (const docs of steps) {
    const one = (writer: Writer, at: number): void => {
      const known = mergeTarget(writer.reader, ns);
      const index = uniqueOn(known, rules.on, pipeline.scope.collator);
      const doc = docs[at] as Doc;
      const filter = mergeFilter(doc, rules, index?.sparse === true);
      const existing = known && operation.during(() => findOne(writer, known, filter, pipeline.scope.collator));
      if (existing && index && rules.matched === 'fail') throw duplicateKey(ns, index, index.valuesOf(doc)[0] ?? []);
      const next = operation.during(() => mergedDocument(doc, existing?.doc, rules, vars));
      if (!next || (existing && identical(existing.doc, next))) return;
      const collection = known ?? writer.collectionFor(ns, undefined);
      const whole = existing ? withIdFirst(next) : withId(next);
      const written = withTimes(whole);
      checkValidator(context, collection, written, existing?.doc);
      if (existing)
        writer.replace(collection, existing, written, { kind, paths: mergedPaths(doc, rules, differing(whole, written)) }, undefined);
      else writer.insert(collection, written, undefined);
    };
    // A document that is there already keeps the others of its step from nothing.
    await eachUntilError(context, docs.length, one, (error) => error.code === 11000);
  }
}

/**
 * @param timed fields that got the time: of the document that was there, too
 * @returns the fields that merging sets; those with a dot in their name are no paths
 */
function mergedPaths(doc: Doc, { matched }: MergeRules, timed: readonly string[]): string[] | undefined {
  const names = [...new Set([...Object.keys(doc), ...timed])];
  return matched === 'merge' && !names.some((name) => name.includes('.')) ? names : undefined;
}

/** @returns the fields whose values are others in a copy of a document */
function differing(doc: Doc, copy: Doc): string[] {
  return doc === copy ? [] : Object.keys(copy).filter((name) => !Object.is(doc[name], copy[name]));
}

/** @throws DocDbError (166) for a view */
function mergeTarget(reader: Reader, ns: string): Collection | undefined {
  const known = reader.collection(ns);
  if (known?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  return known;
}

/**
 * Checks a stage that writes, and writes nothing.
 *
 * @throws DocDbError (166, 51183) for a collection that it could not write into
 */
export function checkOutput(context: CommandContext, reader: Reader, { name, operand }: PipelineStep, pipeline: PipelineContext): void {
  if (name !== '$merge') return;
  const rules = mergeRules(operand, pipeline);
  uniqueOn(mergeTarget(reader, namespaceOf(context, rules.target)), rules.on, pipeline.scope.collator);
}

function findOne(writer: Writer, collection: Collection, filter: Doc, collator: Collator | undefined): Stored | undefined {
  const compiled = compileCommandFilter(filter, collection, { collation: collationOf(collator) });
  const query = { ...compiled, sort: [], skip: 0, limit: 1 };
  for (const [found] of findSteps(writer.reader, collection, query, (view) => view.kept())) if (found) return found;
  return undefined;
}

/**
 * @returns the index, if the collection is there
 * @throws DocDbError (51183) where no index tells documents apart by the fields
 */
function uniqueOn(collection: Collection | undefined, on: readonly string[], collator: Collator | undefined): IndexDefinition | undefined {
  if (on.length === 1 && on[0] === '_id') return collection?.ids;
  const fits = [...(collection?.indexes.values() ?? [])].find(
    (index) =>
      index.unique &&
      index.ready &&
      !index.partial &&
      sameCollation(index.collator, collator) &&
      index.fields.length === on.length &&
      index.fields.every((field) => on.includes(field.name)),
  );
  if (!fits) throw new DocDbError(51183, `Cannot find index to verify that join fields will be unique: ${on.join(', ')}`);
  return fits;
}
