import { FieldNames } from '../bson/decode-fields.ts';
import { isDocument, isNumber, type Value } from '../bson/values.ts';
import { filterNames, firstOf } from '../query/filter-fields.ts';

/**
 * The fields of stored documents that a pipeline looks at, so that the others need not be decoded.
 *
 * @returns `undefined` when it may look at any of them
 */
export function neededFields(pipeline: readonly Value[]): FieldNames | undefined {
  const names = new Set<string>();
  for (const stage of pipeline) {
    if (!isDocument(stage)) return undefined;
    const [name = ''] = Object.keys(stage);
    const reach = Object.hasOwn(STAGES, name) ? STAGES[name]?.(stage[name], names) : undefined;
    if (reach === undefined) return undefined;
    if (reach === 'ends') return FieldNames.of(names);
  }
  return undefined;
}

/** @returns whether an expression looks at no field of a document */
export function readsNoField(expression: Value): boolean {
  const names = new Set<string>();
  return collect(expression, names) && names.size === 0;
}

/** Whether behind a stage there are only the fields that it makes, or others too. */
type Reach = 'ends' | 'goes on';

/** Notes what a stage looks at; `undefined` for anything. */
type Look = (operand: Value, names: Set<string>) => Reach | undefined;

const ending: Look = (operand, names) => (collect(operand, names) ? 'ends' : undefined);
const passing: Look = () => 'goes on';

const adding: Look = (operand, names) => {
  if (!isDocument(operand)) return undefined;
  for (const path of Object.keys(operand)) names.add(firstOf(path));
  return collect(operand, names) ? 'goes on' : undefined;
};

const STAGES: Readonly<Record<string, Look>> = {
  $match(operand, names) {
    const looked = isDocument(operand) ? filterNames(operand) : undefined;
    for (const name of looked ?? []) names.add(name);
    return looked && 'goes on';
  },
  $sort(operand, names) {
    if (!isDocument(operand) || !Object.values(operand).every(isNumber)) return undefined;
    for (const path of Object.keys(operand)) names.add(firstOf(path));
    return 'goes on';
  },
  $unwind: (operand, names) => (collect(operand, names) ? 'goes on' : undefined),
  $addFields: adding,
  $set: adding,
  $skip: passing,
  $limit: passing,
  $sample: passing,
  $count: () => 'ends',
  $group: ending,
  $sortByCount: ending,
  $bucket: ending,
  $bucketAuto: ending,
  $project(operand, names) {
    if (!isDocument(operand)) return undefined;
    names.add('_id');
    // Alone, the id is all that is left out.
    if (Object.keys(operand).every((path) => path === '_id' && leavesOut(operand[path]))) return undefined;
    for (const path of Object.keys(operand)) {
      const value = operand[path];
      // What is left out says nothing of what is there.
      if (path === '_id' ? isDocument(value) && leavesOut(value) : leavesOut(value)) return undefined;
      names.add(firstOf(path));
    }
    return collect(operand, names) ? 'ends' : undefined;
  },
};

function leavesOut(value: Value): boolean {
  if (isDocument(value)) return Object.keys(value).some((name) => !name.startsWith('$') && leavesOut(value[name]));
  return value === false || (isNumber(value) && Number(String(value)) === 0);
}

/** Notes the fields that expressions name; what reads a document in another way makes all of it needed. */
function collect(value: Value, names: Set<string>): boolean {
  if (typeof value === 'string') {
    if (!value.startsWith('$')) return true;
    if (!value.startsWith('$$')) names.add(firstOf(value.slice(1)));
    return !/^\$\$(?:ROOT|CURRENT)(?:\.|$)/.test(value);
  }
  if (Array.isArray(value)) return (value as Value[]).every((entry) => collect(entry, names));
  if (!isDocument(value)) return true;
  return Object.keys(value).every((name) => {
    if (name === '$getField' || name === '$meta') return false;
    if (name === 'sortBy' && isDocument(value.sortBy)) for (const path of Object.keys(value.sortBy)) names.add(firstOf(path));
    return collect(value[name], names);
  });
}
