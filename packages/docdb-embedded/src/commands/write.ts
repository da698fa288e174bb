import { compilePipeline } from '../aggregation/pipeline.ts';
import { identical } from '../bson/identical.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { compileProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { findDocuments } from '../storage/find-documents.ts';
import { WaitFor } from '../transactions/transaction.ts';
import { prepareUpdate, upsertBase, withIdFirst, type Update } from '../update/update-document.ts';
import { checkFields, type Command, type CommandContext, documentField, listField, namespace } from './command.ts';
import { compileCommandFilter, type CompiledFilter, computer, viewOf } from './query-command.ts';

/** Fields of one statement of an update, or of a findAndModify. */
interface UpdateStatement {
  readonly filter: Doc;
  readonly update: Value;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort: Doc;
  readonly source: Doc;
}

/** What an update did. */
interface UpdateOutcome {
  matched: number;
  modified: number;
  upserted: Doc | undefined;
  /** The last document before and after. */
  before: Doc | undefined;
  after: Doc | undefined;
}

/** Runs a statement; one that meets an uncommitted change of a transaction runs again after it. */
async function patiently<T>(context: CommandContext, statement: () => T): Promise<T> {
  for (;;) {
    try {
      return statement();
    } catch (error) {
      if (!(error instanceof WaitFor) || context.transaction) throw error;
      await error.transaction.ended;
    }
  }
}

/** Runs each statement of a write command; errors of single statements are part of the answer. */
async function eachStatement(context: CommandContext, list: readonly Value[], run: (statement: Doc, index: number) => void): Promise<Doc> {
  if (list.length === 0 || list.length > 100_000)
    throw new DocDbError(16, `Write batch sizes must be between 1 and 100000. Got ${String(list.length)} operations.`);
  const writeErrors: Doc[] = [];
  for (const [index, statement] of list.entries()) {
    try {
      if (!isDocument(statement)) throw failedToParse('a write statement must be an object');
      await patiently(context, () => {
        run(statement, index);
      });
    } catch (error) {
      if (!(error instanceof DocDbError) || context.transaction) throw error;
      const { extra } = error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...extra });
      if (context.command.ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function writable(context: CommandContext): Collection {
  const collection = context.server.store.forWrite(namespace(context), context.transaction);
  if (collection.options.viewOn !== undefined) throw new DocDbError(166, `Namespace ${collection.ns} is a view, not a collection`);
  return collection;
}

function checkDocument(doc: Doc, collection: Collection, context: CommandContext): void {
  const { _id } = doc;
  if (Array.isArray(_id) || typeName(_id) === 'regex') throw new DocDbError(53, `The '_id' value cannot be of type ${typeName(_id)}`);
  if (isDocument(_id)) {
    const bad = Object.keys(_id).find((name) => name.startsWith('$'));
    if (bad !== undefined) throw new DocDbError(52, `_id fields may not contain '$'-prefixed fields: ${bad} is not valid for storage.`);
  }
  if (context.command.bypassDocumentValidation !== true) collection.validate(doc);
}

/** `insert` */
export const insert: Command = async (context) => {
  checkFields(context, ['documents', 'ordered', 'bypassDocumentValidation']);
  const documents = listField(context.command, 'documents');
  const collection = writable(context);
  let n = 0;
  const errors = await eachStatement(context, documents, (source) => {
    const doc = withIdFirst(source);
    checkDocument(doc, collection, context);
    context.server.store.insert(current(context, collection), doc, context.transaction);
    trimCapped(context, collection);
    n += 1;
  });
  return { n, ...errors };
};

/** A statement that waited may find that its collection was dropped meanwhile. */
function current(context: CommandContext, collection: Collection): Collection {
  return context.server.store.get(collection.ns) === collection ? collection : writable(context);
}

function trimCapped(context: CommandContext, collection: Collection): void {
  const { capped, max } = collection.options;
  if (capped !== true || max === undefined) return;
  while (collection.count > Number(String(max))) {
    const oldest = collection.scan({ seq: Infinity, changes: undefined }).next().value;
    if (!oldest) return;
    context.server.store.remove(collection, oldest, context.transaction);
  }
}

/** `update` */
export const update: Command = async (context) => {
  checkFields(context, ['updates', 'ordered', 'bypassDocumentValidation']);
  const statements = listField(context.command, 'updates');
  const collection = writable(context);
  let n = 0;
  let nModified = 0;
  const upserted: Doc[] = [];
  const errors = await eachStatement(context, statements, (source, index) => {
    if ('sort' in source) throw new DocDbError(40415, "BSON field 'update.updates.sort' is an unknown field.");
    const outcome = runUpdate(context, current(context, collection), {
      filter: documentField(source, 'q'),
      update: source.u,
      multi: source.multi === true,
      upsert: source.upsert === true,
      sort: documentField(source, 'sort'),
      source: { ...source, let: source.c ?? context.command.let },
    });
    n += outcome.matched + (outcome.upserted ? 1 : 0);
    nModified += outcome.modified;
    if (outcome.upserted) upserted.push({ index, _id: outcome.upserted._id });
  });
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
};

function runUpdate(context: CommandContext, collection: Collection, statement: UpdateStatement): UpdateOutcome {
  const compiled = compileCommandFilter(statement.filter, collection, statement.source);
  const prepared = prepare(context, statement, compiled);
  if (statement.multi && prepared.replacement) throw failedToParse('multi update is not supported for replacement-style update');
  const sort = parseSort(statement.sort);
  const query = { ...compiled, sort, skip: 0, limit: statement.multi ? Infinity : 1, hint: statement.source.hint };
  const targets = findDocuments(collection, query, viewOf(context, collection));
  const outcome: UpdateOutcome = { matched: 0, modified: 0, upserted: undefined, before: undefined, after: undefined };
  for (const before of targets) {
    const after = prepared.apply(before, false);
    outcome.matched += 1;
    outcome.before = before;
    outcome.after = after;
    if (identical(before, after)) continue;
    checkDocument(after, collection, context);
    context.server.store.replace(collection, before, after, prepared.replacement ? 'replace' : 'update', context.transaction);
    outcome.modified += 1;
  }
  if (targets.length === 0 && statement.upsert) outcome.upserted = upsert(context, collection, statement, prepared);
  return outcome;
}

function prepare(context: CommandContext, { update: spec, filter, source }: UpdateStatement, compiled: CompiledFilter): Update {
  const arrayFilters = (source.arrayFilters ?? []) as Doc[];
  return prepareUpdate(spec, {
    collator: compiled.collator,
    filter,
    arrayFilters,
    pipeline: (stages, doc) => {
      for (const stage of stages as Doc[]) {
        const [name = ''] = Object.keys(stage);
        if (!UPDATE_STAGES.has(name)) throw new DocDbError(72, `${name} is not allowed to be used within an update`);
      }
      const host = { ns: namespace(context) } as Parameters<typeof compilePipeline>[1]['host'];
      return compilePipeline(stages, { host, scope: compiled.scope })([doc], compiled.vars)[0] as Doc;
    },
  });
}

const UPDATE_STAGES: ReadonlySet<string> = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

function upsert(context: CommandContext, collection: Collection, { filter }: UpdateStatement, prepared: Update): Doc {
  const base = upsertBase(filter);
  const start = prepared.replacement ? ('_id' in base ? { _id: base._id } : {}) : base;
  const doc = withIdFirst(prepared.apply(start, true));
  if ('_id' in base && !identical(base._id, doc._id))
    throw new DocDbError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  checkDocument(doc, collection, context);
  context.server.store.insert(collection, doc, context.transaction);
  return doc;
}

/** `delete` */
export const deleteCommand: Command = async (context) => {
  checkFields(context, ['deletes', 'ordered']);
  const statements = listField(context.command, 'deletes');
  const collection = writable(context);
  let n = 0;
  const errors = await eachStatement(context, statements, (source) => {
    const compiled = compileCommandFilter(documentField(source, 'q'), collection, { ...source, let: context.command.let });
    const limit = Number(String(source.limit ?? 0)) === 1 ? 1 : Infinity;
    const found = findDocuments(collection, { ...compiled, sort: [], skip: 0, limit, hint: source.hint }, viewOf(context, collection));
    for (const doc of found) {
      context.server.store.remove(collection, doc, context.transaction);
      n += 1;
    }
  });
  return { n, ...errors };
};

/** `findAndModify` */
export const findAndModify: Command = async (context) => {
  const { command } = context;
  checkFields(context, [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'arrayFilters',
    'hint',
  ]);
  if (command.remove === true && (command.update !== undefined || command.upsert === true || command.new === true)) {
    throw failedToParse(
      command.new === true
        ? "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document"
        : 'Cannot specify both an update and remove=true',
    );
  }
  if (command.remove !== true && command.update === undefined) throw failedToParse('Either an update or remove=true must be specified');
  const collection = writable(context);
  return patiently(context, () =>
    command.remove === true ? findAndRemove(context, collection) : findAndUpdate(context, current(context, collection)),
  );
};

function projector(context: CommandContext, compiled: CompiledFilter): (doc: Doc | undefined) => Doc | null {
  const project = compileProjection(documentField(context.command, 'fields'), {
    collator: compiled.collator,
    compute: computer(compiled.scope, compiled.vars),
    filter: compiled.filter,
  });
  return (doc) => (doc ? project(doc) : null);
}

function findAndRemove(context: CommandContext, collection: Collection): Doc {
  const { command, server } = context;
  const compiled = compileCommandFilter(documentField(command, 'query'), collection, command);
  const query = { ...compiled, sort: parseSort(documentField(command, 'sort')), skip: 0, limit: 1, hint: command.hint };
  const [doc] = findDocuments(collection, query, viewOf(context, collection));
  const value = projector(context, compiled)(doc);
  if (doc) server.store.remove(collection, doc, context.transaction);
  return { lastErrorObject: { n: doc ? 1 : 0 }, value };
}

function findAndUpdate(context: CommandContext, collection: Collection): Doc {
  const { command } = context;
  const filter = documentField(command, 'query');
  const compiled = compileCommandFilter(filter, collection, command);
  const project = projector(context, compiled);
  const outcome = runUpdate(context, collection, {
    filter,
    update: command.update,
    multi: false,
    upsert: command.upsert === true,
    sort: documentField(command, 'sort'),
    source: command,
  });
  const { upserted } = outcome;
  const value = command.new === true ? (upserted ?? outcome.after) : outcome.before;
  return {
    lastErrorObject: {
      n: upserted ? 1 : outcome.matched,
      updatedExisting: outcome.matched > 0,
      ...(upserted ? { upserted: upserted._id } : {}),
    },
    value: project(value),
  };
}
