import type { Collator } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { inOrder, isInOrder, isMoved } from '../bson/field-order.ts';
import { shownInBrief } from '../bson/shown-value.ts';
import { deepCopy, type Doc, isDocument, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { positionFinder } from '../query/matched-position.ts';
import { compileFilter, type FilterContext } from '../query/matcher.ts';
import { arrayIndex, readPath } from '../query/path-values.ts';
import { changedPaths } from './changed-paths.ts';
import { type Change, fieldUpdates, KEEP, REMOVE } from './update-operators.ts';
import { checkConflicts, checkMeetings } from './conflicts.ts';
import { shownId } from './shown-id.ts';
import { concretePaths, isDynamicPart, removePath, writePath, type Positions } from './update-paths.ts';
import { withId, withTimes } from './whole-document.ts';

/** What an update is applied with. */
export interface UpdateContext {
  readonly collator: Collator | undefined;
  /** The filter of the update, for the positional `$`. */
  readonly filter: Doc;
  readonly arrayFilters: readonly Doc[];
  /** Whether an empty timestamp of a replacement is what it says, and does not stand for the time. */
  readonly keepsEmptyTimes: boolean;
  /** Reads an update that is a pipeline, and gives what it makes of a document. */
  readonly pipeline: (stages: readonly Value[]) => (doc: Doc) => Doc;
}

/** A checked update. */
export interface Update {
  /** Whether it replaces the whole document. */
  readonly replacement: boolean;
  /** @returns the new document; the old one stays as it is */
  readonly apply: (doc: Doc, inserting: boolean) => Doc;
  /** @returns what operators may change in a document that is there; of other updates nothing is known */
  readonly paths?: (doc: Doc) => readonly string[];
}

/**
 * Checks an update and prepares it.
 *
 * @param spec operators, a replacement, or a pipeline
 * @throws DocDbError (2, 9, 14, 28, 40, 66, …)
 */
export function prepareUpdate(spec: Value, context: UpdateContext): Update {
  if (Array.isArray(spec) && context.arrayFilters.length > 0)
    throw failedToParse('arrayFilters may not be specified for pipeline-style updates');
  if (Array.isArray(spec)) {
    const run = context.pipeline(spec as Value[]);
    return { replacement: false, apply: (doc) => keepId(doc, run(doc)) };
  }
  if (!isDocument(spec)) throw failedToParse('Update argument must be either an object or an array');
  const [first] = Object.keys(spec);
  if (first?.startsWith('$') !== true) return { replacement: true, apply: (doc) => replace(doc, spec, context) };
  return operatorUpdate(spec, context);
}

function replace(doc: Doc, spec: Doc, { keepsEmptyTimes }: UpdateContext): Doc {
  const bad = Object.keys(spec).find((name) => name.startsWith('$'));
  if (bad !== undefined)
    throw new DocDbError(
      52,
      `The dollar ($) prefixed field '${bad}' in '${bad}' is not allowed in the context of an update's replacement document.`,
    );
  const copied = deepCopy(spec);
  return keepId(doc, keepsEmptyTimes ? copied : withTimes(copied));
}

function immutableId(): DocDbError {
  return new DocDbError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

function keepId(doc: Doc, result: Doc): Doc {
  if (!('_id' in doc)) return result;
  if ('_id' in result && !equal(result._id, doc._id))
    throw new DocDbError(
      66,
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${shownInBrief(result._id)}`,
    );
  return withId(doc._id, result);
}

interface Modifier {
  readonly operator: string;
  readonly path: readonly string[];
  readonly operand: Value;
  /** What becomes of the field; renaming changes two of them. */
  readonly change: Change | undefined;
}

function operatorUpdate(spec: Doc, context: UpdateContext): Update {
  const changes = readModifiers(spec, { collator: context.collator });
  const filters = readArrayFilters(context, changes);
  // New fields appear in the order of their names (manual: update operators).
  const ordered = [...changes].sort((a, b) => comparePaths(placeOf(a), placeOf(b)));
  const asksForPosition = changes.some(({ path }) => path.includes('$'));
  const matched = asksForPosition ? positionFinder(context.filter, { collator: context.collator }) : (): number => -1;
  const positions: Positions = { filters, matched };
  const numbered = ordered.some((change) => isMoved(placeOf(change)[0] as string));
  const findsElements = ordered.length > 1 && ordered.some(({ path }) => path.some(isDynamicPart));
  const operatorLike = changes.find(
    ({ operator, path }) => path[0]?.startsWith('$') && operator !== '$setOnInsert' && operator !== '$unset',
  );
  return {
    replacement: false,
    paths: (doc) => ordered.flatMap((change) => changedPaths(doc, change, positions)),
    apply: (doc, inserting) => {
      // A new document may have any names.
      if (operatorLike && !inserting) throw notForStorage(operatorLike.path.join('.'));
      const copy = deepCopy(doc);
      const result = numbered && !isInOrder(copy) ? inOrder(copy, Object.keys(copy)) : copy;
      // What `$` stands for is decided by the document as it was.
      const steps = ordered
        .filter(({ operator }) => inserting || operator !== '$setOnInsert')
        .map((change) => ({ change, paths: change.operator === '$rename' ? [] : concretePaths(doc, change.path, positions) }));
      if (findsElements) checkMeetings(steps.map(({ paths }) => paths));
      for (const { change, paths } of steps) {
        if (change.operator === '$rename') rename(result, change);
        else for (const path of paths) applyChange(result, path, change);
      }
      if (!inserting && '_id' in doc && (!('_id' in result) || !equal(result._id, doc._id))) throw immutableId();
      return result;
    },
  };
}

function readModifiers(spec: Doc, context: FilterContext): Modifier[] {
  const changes: Modifier[] = [];
  for (const operator of Object.keys(spec)) {
    const fields = spec[operator];
    if (!Object.hasOwn(fieldUpdates, operator) && operator !== '$rename') {
      throw failedToParse(`Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`);
    }
    if (!isDocument(fields))
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${String(fields)}}`,
      );
    for (const name of Object.keys(fields)) {
      changes.push({
        operator,
        path: checkPath(name),
        operand: fields[name],
        change: fieldUpdates[operator]?.(fields[name], context, name),
      });
      if (operator === '$rename') checkRename(name, fields[name]);
      if (operator === '$rename')
        changes.push({ operator: 'target', path: checkPath(fields[name]), operand: undefined, change: undefined });
    }
  }
  checkConflicts(changes.map(({ path }) => path));
  return changes.filter((change) => change.operator !== 'target');
}

/** @throws DocDbError (2, 52, 66, 9867600) for a new name that no field may have */
function checkRename(from: string, to: Value): void {
  if (typeof to !== 'string') throw badValue("The 'to' field for $rename must be a string");
  if (to === from) throw badValue(`The source and target field for $rename must differ: ${from}`);
  if (to.includes('\0')) throw new DocDbError(9867600, "The 'to' field of $rename may not contain a null byte");
  if (`${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`))
    throw badValue(`The source and target field for $rename must not be on the same path: '${from}' and '${to}'`);
  if (isDynamic(from)) throw badValue(`The source field for $rename may not be dynamic: ${from}`);
  if (isDynamic(to)) throw badValue(`The destination field for $rename may not be dynamic: ${to}`);
  if (to === '_id' || to.startsWith('_id.')) throw immutableId();
  if (to.split('.').some((part) => part.startsWith('$'))) throw notForStorage(to);
}

/** @returns whether a part of a path stands for elements of a list */
function isDynamic(path: string): boolean {
  return path.split('.').some(isDynamicPart);
}

function notForStorage(name: string): DocDbError {
  return new DocDbError(52, `The dollar ($) prefixed field '${name}' in '${name}' is not valid for storage.`);
}

function checkPath(name: Value): string[] {
  if (typeof name !== 'string') throw badValue("The 'to' field for $rename must be a string");
  const path = name.split('.');
  if (name === '' || path.includes(''))
    throw new DocDbError(56, `The update path '${name}' contains an empty field name, which is not allowed.`);
  if (path[0] === '$' || path[0]?.startsWith('$['))
    throw badValue(`Cannot have array filter identifier or positional (i.e. '$') element in the first position in path '${name}'`);
  return path;
}

/** @returns the path that gets a value */
function placeOf({ operator, path, operand }: Modifier): readonly string[] {
  return operator === '$rename' ? String(operand).split('.') : path;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left, right] = [a[index] as string, b[index] as string];
    if (left === right) continue;
    if (/^\d+$/.test(left) && /^\d+$/.test(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

function applyChange(doc: Doc, path: readonly string[], { operator, change }: Modifier): void {
  const old = readPath(doc, path);
  if (operator === '$pop') checkWay(doc, path);
  const value = change?.(old, path, doc);
  if (value === KEEP) return;
  if (value === REMOVE) {
    if (old !== undefined) removePath(doc, path);
  } else writePath(doc, path, value);
}

/** @throws DocDbError (28) where something other than a document, or an element of a list, is on the way */
function checkWay(doc: Doc, path: readonly string[]): void {
  for (let depth = 1; depth < path.length; depth++) {
    const value = readPath(doc, path.slice(0, depth));
    if (value === undefined) return;
    if (!isDocument(value) && !(Array.isArray(value) && arrayIndex(path[depth] ?? '') !== undefined))
      throw new DocDbError(
        28,
        `Cannot use the part (${String(path[depth])}) of (${path.join('.')}) to traverse the element ({${String(path[depth - 1])}: ${shownInBrief(value)}})`,
      );
  }
}

function rename(doc: Doc, { path, operand }: Modifier): void {
  const ends = { source: path, destination: String(operand).split('.') };
  for (const [end, checked] of Object.entries(ends))
    for (let depth = 1; depth < checked.length; depth++)
      if (Array.isArray(readPath(doc, checked.slice(0, depth))))
        throw badValue(
          `The ${end} field cannot be an array element, '${checked.join('.')}' in doc with ${shownId(doc)} has an array field called '${String(checked[depth - 1])}'`,
        );
  const value = readPath(doc, path);
  checkWay(doc, path);
  if (value === undefined) return;
  removePath(doc, path);
  writePath(doc, String(operand).split('.'), value);
}

function readArrayFilters(
  { arrayFilters, collator }: UpdateContext,
  changes: readonly Modifier[],
): Map<string, (element: Value) => boolean> {
  const filters = new Map<string, (element: Value) => boolean>();
  for (const filter of arrayFilters) {
    const name = identifierOf(filter);
    if (filters.has(name)) throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    const predicate = compileFilter(filter, { collator });
    filters.set(name, (element) => predicate({ [name]: element }));
  }
  const named = new Set(changes.flatMap(({ path }) => identifiersIn(path)));
  for (const { path } of changes) {
    const unknown = identifiersIn(path).find((name) => !filters.has(name));
    if (unknown !== undefined) throw badValue(`No array filter found for identifier '${unknown}' in path '${path.join('.')}'`);
  }
  for (const name of filters.keys())
    if (!named.has(name)) throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
  return filters;
}

/** @returns the names of the array filters that a path asks for */
function identifiersIn(path: readonly string[]): string[] {
  return path.flatMap((part) => (/^\$\[.+\]$/.test(part) ? [part.slice(2, -1)] : []));
}

/** @throws DocDbError (2) for what are no branches */
function branchesOf(name: string, operand: Value): Doc[] {
  if (!Array.isArray(operand) || operand.length === 0) throw badValue(`${name} argument must be a non-empty array`);
  const branches: readonly Value[] = operand;
  return branches.map((branch) => {
    if (!isDocument(branch)) throw badValue(`${name} argument's entries must be objects`);
    return branch;
  });
}

function identifierOf(filter: Doc): string {
  const names = new Set<string>();
  const visit = (part: Doc): void => {
    for (const name of Object.keys(part)) {
      if (name === '$expr') throw new DocDbError(224, '$expr is not allowed in this context');
      if (name === '$alwaysTrue' || name === '$alwaysFalse')
        throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
      if (name === '$and' || name === '$or' || name === '$nor') branchesOf(name, part[name]).forEach(visit);
      else names.add(name.split('.')[0] as string);
    }
  };
  visit(filter);
  const [name] = names;
  if (name === undefined || names.size !== 1) throw failedToParse('Error parsing array filter: expected a single top-level field name');
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
    throw badValue(
      `Error parsing array filter: the top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  return name;
}
