import { NO_COLLECTIONS } from '../aggregation/pipeline-types.ts';
import { checkUpdates } from '../aggregation/update-stages.ts';
import { compilePipeline } from '../aggregation/pipeline.ts';
import { MAX_DOCUMENT_SIZE } from '../bson/limits.ts';
import { identical } from '../bson/identical.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { DocDbError, DuplicateKey, failedToParse, framed } from '../errors.ts';
import { parseQuerySort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import type { Stored } from '../storage/stored.ts';
import type { Writer } from '../storage/writer.ts';
import { prepareUpdate, type Update } from '../update/update-document.ts';
import { upsertBase, withIdFirst, withTimes } from '../update/whole-document.ts';
import { type CommandContext, namespace } from './command.ts';
import { checkId } from './check-id.ts';
import { checkValidator } from './check-validator.ts';
import { collectionNow, compileCommandFilter, type CompiledFilter } from './query-command.ts';
import { checkWritable, TargetedStatement } from './targeted-statement.ts';
import type { Statement } from './write-loop.ts';

/** Fields of one statement of an update, or of a findAndModify. */
export interface UpdateStatement {
  readonly filter: Doc;
  readonly update: Value;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort: Doc;
  readonly source: Doc;
}

/** What an update did. */
export interface UpdateOutcome {
  matched: number;
  modified: number;
  upserted: Doc | undefined;
}

function writable(context: CommandContext, writer: Writer): Collection {
  const collection = writer.collectionFor(namespace(context), context.transaction);
  checkWritable(collection, context);
  return collection;
}

function checkDocument(doc: Doc, collection: Collection, context: CommandContext, before?: Doc): void {
  checkId(doc._id);
  checkValidator(context, collection, doc, before);
}

/** @returns whether an empty timestamp is what it says, and does not stand for the time */
function keepsEmptyTimes({ command }: CommandContext): boolean {
  return isOn(command.bypassEmptyTsReplacement);
}

/**
 * The insertion of one document.
 *
 * @param report is told when it is made
 */
export function insertStatement(context: CommandContext, source: Doc, report: () => void): Statement {
  const whole = withIdFirst(source);
  const doc = keepsEmptyTimes(context) ? whole : withTimes(whole);
  return {
    advance(writer) {
      // No collection is made for a document that none may have.
      checkId(doc._id);
      const collection = writable(context, writer);
      checkValidator(context, collection, doc);
      writer.insert(collection, doc, context.transaction);
      report();
      return 'done';
    },
  };
}

/** @throws DocDbError (51198) for constants beside what is no pipeline */
export function checkConstants(constants: Value, update: Value): void {
  if (constants !== undefined && !Array.isArray(update))
    throw new DocDbError(51198, 'Constant values may only be specified for pipeline updates');
}

/** @returns the variables of an update: its constants stand for themselves, whatever they look like */
export function variablesWith(constants: Value, variables: Value): Value {
  if (!isDocument(constants)) return variables;
  const literals = Object.entries(constants).map(([name, $literal]) => [name, { $literal }]);
  return { ...(variables as Doc | undefined), ...(Object.fromEntries(literals) as Doc) };
}

/**
 * An update of one statement or of a findAndModify.
 *
 * @param report is told of each change when it is made
 * @param foresee is told of each before it is made; what it throws keeps it from being made
 */
export function updateStatement(
  context: CommandContext,
  statement: UpdateStatement,
  report: (change: UpdateOutcome) => void,
  foresee: (before: Doc | undefined, after: Doc) => void = () => undefined,
): Statement {
  const { transaction } = context;
  if (statement.multi && context.retried) throw new DocDbError(72, 'Cannot use (or request) retryable writes with multi=true');
  const ns = namespace(context);
  if (statement.upsert && asksExpression(statement.filter))
    throw new DocDbError(224, '$expr is not allowed in the query predicate for an upsert');
  const prepared = new Map<Collection | undefined, { readonly compiled: CompiledFilter; readonly update: Update }>();
  const prepare = (collection: Collection | undefined): { readonly compiled: CompiledFilter; readonly update: Update } => {
    const known = prepared.get(collection);
    if (known) return known;
    const made = context.operation.during(() => {
      const compiled = compileCommandFilter(statement.filter, collection, statement.source);
      return { compiled, update: prepareOn(context, statement, compiled) };
    });
    if (statement.multi && Object.keys(statement.sort).length > 0) throw failedToParse('Cannot specify sort with multi=true');
    if (statement.multi && made.update.replacement) throw failedToParse('multi update is not supported for replacement-style update');
    prepared.set(collection, made);
    return made;
  };
  // A mistake in it is one whether or not there is anything to update.
  prepare(collectionNow(context, ns));
  const sort = parseQuerySort(statement.sort);
  const apply = (writer: Writer, collection: Collection, target: Stored): void => {
    const { update: change } = prepare(collection);
    const before = target.doc;
    const after = change.apply(before, false);
    foresee(before, after);
    // A whole document that leaves the id to the old one is another than that, whatever else it has.
    const same = !(change.replacement && isDocument(statement.update) && !('_id' in statement.update)) && identical(before, after);
    if (!same) {
      checkDocument(after, collection, context, before);
      writer.replace(
        collection,
        target,
        after,
        { kind: change.replacement ? 'replace' : 'update', paths: change.paths?.(before) },
        transaction,
      );
    }
    report({ matched: 1, modified: same ? 0 : 1, upserted: undefined });
  };
  const upsert = (writer: Writer): void => {
    const collection = writable(context, writer);
    const doc = upsertedDocument(statement, prepare(collection).update);
    checkDocument(doc, collection, context);
    foresee(undefined, doc);
    writer.insert(collection, doc, transaction);
    report({ matched: 0, modified: 0, upserted: doc });
  };
  const frame = `Plan executor error during ${context.name.startsWith('find') ? 'findAndModify' : 'update'}`;
  return new TargetedStatement(context, ns, {
    query: (collection) => {
      const { compiled } = prepare(collection);
      const limit = statement.multi ? Infinity : 1;
      return { ...compiled, sort: sort.length === 0 ? [...compiled.order] : sort, skip: 0, limit, hint: statement.source.hint };
    },
    apply(writer, collection, target) {
      try {
        apply(writer, collection, target);
      } catch (error) {
        throw framed(asTooLarge(error, 17419, 'Resulting document after update'), frame);
      }
    },
    ...(statement.upsert
      ? {
          none(writer: Writer, since: number) {
            try {
              upsert(writer);
              return true;
            } catch (error) {
              if (error instanceof DuplicateKey && error.since > since) return false;
              throw framed(asTooLarge(error, 17420, 'Document to upsert'), frame);
            }
          },
        }
      : {}),
  });
}

/** What an expression asks for gives an upsert no values. */
function asksExpression(filter: Doc): boolean {
  return Object.keys(filter).some((name) => {
    const operand = filter[name];
    if (name === '$expr') return true;
    return (
      ['$and', '$or', '$nor'].includes(name) && Array.isArray(operand) && operand.some((part) => isDocument(part) && asksExpression(part))
    );
  });
}

/** @returns the error of a document over 16 MiB as updates have it, and any other as it is */
function asTooLarge(error: unknown, code: number, what: string): unknown {
  return error instanceof DocDbError && error.code === 10334
    ? new DocDbError(code, `${what} is larger than ${String(MAX_DOCUMENT_SIZE)}`)
    : error;
}

function prepareOn(context: CommandContext, { update: spec, filter, source }: UpdateStatement, compiled: CompiledFilter): Update {
  const arrayFilters = (source.arrayFilters ?? []) as Doc[];
  if (source.arrayFilters !== undefined && isDocument(spec) && !Object.keys(spec).some((name) => name.startsWith('$')))
    throw failedToParse('arrayFilters may not be specified for replacement-style updates');
  const { operation } = context;
  const { apply, paths, ...prepared } = prepareUpdate(spec, {
    collator: compiled.collator,
    filter,
    arrayFilters,
    keepsEmptyTimes: keepsEmptyTimes(context),
    pipeline: (stages) => {
      checkUpdates(stages);
      const host = { ...NO_COLLECTIONS, ns: namespace(context) };
      const { run } = compilePipeline(stages, { host, scope: compiled.scope });
      return (doc) => run([doc], compiled.vars)[0] as Doc;
    },
  });
  return {
    ...prepared,
    apply: (doc, inserting) => operation.during(() => apply(doc, inserting)),
    ...(paths ? { paths: (doc) => operation.during(() => paths(doc)) } : {}),
  };
}

function upsertedDocument({ filter }: UpdateStatement, prepared: Update): Doc {
  const base = upsertBase(filter, prepared.replacement);
  const doc = withIdFirst(prepared.apply(base, true));
  if ('_id' in base && !identical(base._id, doc._id))
    throw new DocDbError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  return doc;
}

/**
 * The deletion of what a filter finds.
 *
 * @param source has `collation` and `hint`
 * @param report is told of each document
 */
export function deleteStatement(context: CommandContext, filter: Doc, limit: number, source: Doc, report: () => void): Statement {
  if (limit !== 1 && context.retried) throw new DocDbError(72, 'Cannot use (or request) retryable writes with limit=0');
  const ns = namespace(context);
  const given = { ...source, let: context.command.let };
  context.operation.during(() => compileCommandFilter(filter, collectionNow(context, ns), given));
  return new TargetedStatement(context, ns, {
    query(collection) {
      const compiled = compileCommandFilter(filter, collection, given);
      return { ...compiled, sort: [...compiled.order], skip: 0, limit, hint: source.hint };
    },
    apply(writer, collection, target) {
      writer.remove(collection, target, context.transaction);
      report();
    },
  });
}
