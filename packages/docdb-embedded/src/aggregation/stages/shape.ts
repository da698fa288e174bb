import { put } from '../../bson/fields.ts';
import { type Doc, isDocument, own, typeName, type Value } from '../../bson/values.ts';
import { conflictingPaths, DocDbError } from '../../errors.ts';
import { toNumber } from '../../bson/arithmetic.ts';
import { sampleSize } from '../../declarations/stages.ts';
import { splitText } from '../../query/matcher.ts';
import { compileProjection } from '../../query/projection.ts';
import { checkSortKeys, parseSort, sortDocuments } from '../../query/sort.ts';
import { made } from '../../interrupt.ts';
import { compileExpression, compileProjected, type Env } from '../expression.ts';
import { fieldPath } from '../field-path.ts';
import { filterWith } from '../filter-with.ts';
import { inSteps, type Keyed, stageInOrder } from '../in-order.ts';
import { keepMetadata, shownSortKey, sortedMeta, withMetadata } from '../metadata.ts';
import type { PipelineContext, StageCompiler } from '../pipeline-types.ts';
import { flattenPaths, pathTree, withPath, withPaths } from '../set-path.ts';

function documentOperand(name: string, operand: Value, code = 9): Doc {
  if (!isDocument(operand)) throw new DocDbError(code, `the ${name} stage specification must be an object`);
  return operand;
}

const match: StageCompiler = (operand, { scope }) => {
  const filter = documentOperand('$match', operand, 15959);
  if (splitText(filter).text) throw new DocDbError(17313, '$match with $text is only allowed as the first pipeline stage');
  // Compiled once to report mistakes, and again with the values of variables.
  filterWith(filter, scope, {});
  return (docs, vars) => docs.filter(filterWith(filter, scope, vars));
};

const project: StageCompiler = (operand, context) => {
  const source = documentOperand('$project', operand, 15969);
  if (Object.keys(source).length === 0) throw new DocDbError(51272, 'projection specification must have at least one field');
  const compile = projector(source, context);
  compile({});
  return (docs, vars) => {
    const show = compile(vars);
    return docs.map((doc) => keepMetadata(doc, show(doc)));
  };
};

function projector(source: Doc, { scope }: PipelineContext): (vars: Env['vars']) => (doc: Doc) => Doc {
  return (vars) =>
    compileProjection(source, {
      collator: scope.collator,
      stage: true,
      compute: (expression) => {
        const evaluate = compileProjected(expression, scope);
        return (doc) => evaluate({ root: doc, vars });
      },
    });
}

const addFields: StageCompiler = (operand, { scope }) => {
  const given = documentOperand('$addFields', operand, 40272);
  for (const value of Object.values(given)) checkNested(value);
  const source = flattenPaths(given, (path) => conflict(path, path));
  const fields = Object.keys(source).map((name) => {
    return [fieldPath(name), compileExpression(source[name], scope)] as const;
  });
  const tree = pathTree(
    fields.map(([path]) => path),
    conflict,
  );
  return (docs, vars) =>
    docs.map((doc) => {
      const values = fields.map(([, evaluate]) => evaluate({ root: doc, vars }));
      return withPaths(doc, tree, values);
    });
};

/** @throws DocDbError (40181, 40183) for a document of fields that is none */
function checkNested(value: Value): void {
  if (!isDocument(value)) return;
  const names = Object.keys(value);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length > 0 && names.length > 1)
    throw new DocDbError(
      40181,
      `an expression specification must contain exactly one field, the name of the expression: ${names.join(', ')}`,
    );
  if (operators.length > 0) return;
  for (const name of names) {
    if (name.includes('.')) throw new DocDbError(40183, `cannot use dotted field name '${name}' in a sub object`);
    checkNested(value[name]);
  }
}

function conflict(path: string, other: string): DocDbError {
  return conflictingPaths(40176, path, other);
}

const unset: StageCompiler = (operand, context) => {
  const names = Array.isArray(operand) ? (operand as Value[]) : [operand];
  if (names.length === 0) throw new DocDbError(31119, '$unset specification must be a string or an array with at least one field');
  for (const name of names) {
    if (typeof name !== 'string')
      throw new DocDbError(31120, '$unset specification must be a string or an array containing only string values');
  }
  if (names.some((name) => String(name).includes('\0'))) throw new DocDbError(9527900, 'a path may not contain a null byte');
  for (const name of names as string[]) {
    fieldPath(name);
  }
  if (new Set(names).size < names.length) throw new DocDbError(31250, 'Path collision: a field is named twice');
  return project(Object.fromEntries(names.map((name) => [name, 0])), context);
};

const replaceRoot: StageCompiler = (operand, { scope }) => {
  const { newRoot } = documentOperand('$replaceRoot', operand, 40229);
  return replaceBy(newRoot, scope);
};

function replaceBy(expression: Value, scope: PipelineContext['scope']): ReturnType<StageCompiler> {
  const evaluate = compileExpression(expression, scope);
  return (docs, vars) =>
    docs.map((doc) => {
      const value = evaluate({ root: doc, vars });
      if (!isDocument(value))
        throw new DocDbError(40228, `'newRoot' expression must evaluate to an object, but resulting value was of type ${typeName(value)}`);
      return keepMetadata(doc, value);
    });
}

/** @throws DocDbError (9, 13103, 15976, 16410, 17312) for what is no order of documents */
export function checkSort(operand: Doc): void {
  if (Object.keys(operand).length === 0) throw new DocDbError(15976, '$sort stage must have at least one sort key');
  checkSortKeys(operand);
}

const sort: StageCompiler = (operand, { scope, asksForSortKey }) => {
  const spec = documentOperand('$sort', operand, 15973);
  checkSort(spec);
  const keys = parseSort(spec);
  const { collator } = scope;
  return (docs) => {
    const ordered = sortDocuments(docs, keys, collator, sortedMeta);
    if (asksForSortKey !== true) return ordered;
    return ordered.map((doc) => withMetadata(doc, { sortKey: shownSortKey(doc, keys, collator, sortedMeta) }));
  };
};

/**
 * Compiles an `$unwind` that gives the documents of one after the other.
 *
 * @throws DocDbError (28810, 28812, 28818, 28822, …)
 */
export function compileUnwind(operand: Value): (doc: Doc) => Iterable<Doc> {
  const source: Doc = typeof operand === 'string' ? { path: operand } : documentOperand('$unwind', operand, 15981);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: preserve } = source;
  if (path === '') throw new DocDbError(28812, 'no path specified to $unwind stage');
  if (typeof path !== 'string' || !path.startsWith('$'))
    throw new DocDbError(28818, `path option to $unwind stage should be prefixed with a '$': ${String(path)}`);
  if (path.includes('\0')) throw new DocDbError(16419, 'a path of $unwind may not contain a null byte');
  const parts = fieldPath(path.slice(1));
  if (typeof index === 'string' && (index === '' || index.startsWith('$')))
    throw new DocDbError(
      index === '' ? 28810 : 28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${index}`,
    );
  if (typeof index === 'string') fieldPath(index);
  const numbered = (doc: Doc, at: bigint | null): Doc => (typeof index === 'string' ? withPath(doc, index.split('.'), at) : doc);
  return function* unfold(doc) {
    const value = parts.reduce<Value>((inner, name) => (isDocument(inner) ? own(inner, name) : undefined), doc);
    if (Array.isArray(value) && value.length > 0) {
      let at = 0n;
      for (const entry of value as Value[]) yield numbered(withPath(doc, parts, entry), at++);
    } else if (value === undefined || value === null || Array.isArray(value)) {
      if (preserve === true) yield numbered(Array.isArray(value) ? withPath(doc, parts, undefined) : doc, null);
    } else yield numbered(doc, null);
  };
}

const unwind: StageCompiler = (operand) => {
  const unfold = compileUnwind(operand);
  return (docs) => {
    const all: Doc[] = [];
    for (const doc of docs)
      for (const one of unfold(doc)) {
        made();
        all.push(one);
      }
    return all;
  };
};

const redact: StageCompiler = (operand, { scope }) => {
  const evaluate = compileExpression(operand, { ...scope, names: new Set([...scope.names, 'DESCEND', 'PRUNE', 'KEEP']) });
  const visit = (doc: Doc, vars: Env['vars']): Doc | undefined => {
    made();
    const verdict = evaluate({ root: doc, vars });
    if (verdict === '$$KEEP') return doc;
    if (verdict === '$$PRUNE') return undefined;
    if (verdict !== '$$DESCEND') throw new DocDbError(17053, '$redact must evaluate to $$KEEP, $$PRUNE or $$DESCEND');
    const inside = (value: Value): Value => {
      if (Array.isArray(value)) return (value as Value[]).map(inside).filter((entry) => entry !== undefined);
      return isDocument(value) ? visit(value, vars) : value;
    };
    let result: Doc = {};
    for (const name of Object.keys(doc)) {
      const value = inside(doc[name]);
      if (value !== undefined) result = put(result, name, value);
    }
    return result;
  };
  return (docs, vars) => docs.map((doc) => visit(doc, { ...vars, ROOT: doc })).filter((doc) => doc !== undefined);
};

const sample: StageCompiler = (operand) => {
  const { size: given } = documentOperand('$sample', operand, 28745);
  return stageInOrder({
    directions: [{ direction: 1 }],
    collator: undefined,
    most: sampleSize(given),
    valuesOf: () => [],
    begin: () => ({ keyed: (doc) => ({ doc, key: Math.random() }), results: (sorted) => inSteps(documentsOf(sorted)) }),
  });
};

function* documentsOf(rows: Iterable<Keyed>): Generator<Doc, void> {
  for (const { doc } of rows) yield doc;
}

/** Stages that change, choose or order documents one by one. */
export const shapeStages: Readonly<Record<string, StageCompiler>> = {
  $match: match,
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: replaceRoot,
  $replaceWith: (operand, { scope }) => replaceBy(operand, scope),
  $sort: sort,
  $limit: (operand) => {
    const most = toNumber(operand);
    return (docs) => docs.slice(0, most);
  },
  $skip: (operand) => {
    const skipped = toNumber(operand);
    return (docs) => docs.slice(skipped);
  },
  $unwind: unwind,
  $redact: redact,
  $sample: sample,
};
