import type { Doc } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, failedToParse } from '../errors.ts';
import { compileProjection } from '../query/projection.ts';
import { parseQuerySort } from '../query/sort.ts';
import { checkWritable } from '../storage/collection.ts';
import { type Command, type CommandContext, documentField, namespace } from './command.ts';
import { collectionNow, compileCommandFilter, computer, described } from './query-command.ts';
import { TargetedStatement } from './targeted-statement.ts';
import { updateStatement } from './write-statements.ts';
import { runBatch, type Statement } from './write-loop.ts';

/** `findAndModify` */
export const findAndModify: Command = async (context) => {
  const { command, retried } = context;
  check(command);
  checkWritable(namespace(context));
  let answer: Doc = isOn(command.remove) ? { lastErrorObject: { n: 0 }, value: null } : nothingUpdated();
  const note = (found: Doc): void => {
    answer = found;
  };
  await runBatch(context, {
    count: 1,
    frees: isOn(command.remove),
    begin: () => (isOn(command.remove) ? removal(context, note) : modification(context, note)),
    after(writer, _next, done) {
      if (done && retried)
        writer.keepReply(retried.key, { number: retried.number, statements: retried.statements, next: 1, answer, done, committed: false });
    },
  });
  return answer;
};

function nothingUpdated(): Doc {
  return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
}

function check(command: Doc): void {
  if (isOn(command.remove) && (command.update !== undefined || isOn(command.upsert) || isOn(command.new))) {
    throw failedToParse(
      isOn(command.new)
        ? "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document"
        : 'Cannot specify both an update and remove=true',
    );
  }
  if (isOn(command.remove) && command.arrayFilters !== undefined) throw failedToParse('Cannot specify arrayFilters and remove=true');
  if (!isOn(command.remove) && command.update === undefined) throw failedToParse('Either an update or remove=true must be specified');
  // What the query matched may not be there any more.
  if (isOn(command.new) && Object.keys(documentField(command, 'fields')).some((name) => name.endsWith('.$')))
    throw badValue('cannot use a positional projection and return the new document');
}

/** What of a document is answered, and of what was found out about it when it was found. */
function projector(context: CommandContext): (doc: Doc | undefined, found?: Doc) => Doc | null {
  const { command, operation } = context;
  return operation.during(() => {
    const compiled = compileCommandFilter(documentField(command, 'query'), collectionNow(context, namespace(context)), command);
    const project = compileProjection(documentField(command, 'fields'), {
      collator: compiled.collator,
      compute: computer(compiled.scope, compiled.vars),
      filter: compiled.filter,
    });
    return (doc, found) => (doc ? operation.during(() => project(described(compiled, doc, found))) : null);
  });
}

function removal(context: CommandContext, note: (answer: Doc) => void): Statement {
  const { command, transaction } = context;
  const filter = documentField(command, 'query');
  const sort = parseQuerySort(documentField(command, 'sort'));
  const project = projector(context);
  return new TargetedStatement(context, namespace(context), {
    query: (collection) => {
      const compiled = compileCommandFilter(filter, collection, command);
      return { ...compiled, sort: sort.length === 0 ? [...compiled.order] : sort, skip: 0, limit: 1, hint: command.hint };
    },
    apply(writer, collection, target) {
      const value = project(target.doc);
      writer.remove(collection, target, transaction);
      note({ lastErrorObject: { n: 1 }, value });
    },
  });
}

function modification(context: CommandContext, note: (answer: Doc) => void): Statement {
  const { command } = context;
  const project = projector(context);
  let value: Doc | null = null;
  return updateStatement(
    context,
    {
      filter: documentField(command, 'query'),
      update: command.update,
      multi: false,
      upsert: isOn(command.upsert),
      sort: documentField(command, 'sort'),
      source: command,
    },
    ({ matched, upserted }) => {
      note({ lastErrorObject: { n: 1, updatedExisting: matched > 0, ...(upserted ? { upserted: upserted._id } : {}) }, value });
    },
    (before, after) => {
      value = project(isOn(command.new) ? after : before, before);
    },
  );
}
