import { fieldPath } from '../aggregation/field-path.ts';
import { flattenPaths, pathTree, withPaths } from '../aggregation/set-path.ts';
import type { Collator } from '../bson/collation.ts';
import { copyOf, put } from '../bson/fields.ts';
import { type Doc, isDocument, isNumber, own, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { made, perDocument } from '../interrupt.ts';
import { arrayOperator, type ArrayOperator } from './array-operators.ts';
import { positionFinder } from './matched-position.ts';
import type { FilterContext } from './matcher.ts';

/** Changes a document to what a projection shows of it. */
export type Projector = (doc: Doc) => Doc;

/** What a projection is compiled with. */
export interface ProjectionContext extends FilterContext {
  readonly collator?: Collator | undefined;
  /** Compiles a computed field. */
  readonly compute: (expression: Value) => (doc: Doc) => Value;
  /** Whether the projection is a `$project` stage: its `$slice` is an expression and it has no positional operator. */
  readonly stage?: boolean | undefined;
  /** The filter of the query, for the positional `$`. */
  readonly filter?: Doc | undefined;
}

interface Tree {
  readonly kind: 'tree';
  readonly children: Map<string, Node>;
  /** Whether something below it is computed: in a list each value then becomes a document of that. */
  computes: boolean;
}
type Node = Tree | { readonly kind: 'leaf'; readonly action: Action };
type Action =
  { readonly kind: 'include' } | { readonly kind: 'exclude' } | { readonly kind: 'value'; readonly of: (value: Value, doc: Doc) => Value };

/**
 * Compiles the projection of a find.
 *
 * @throws DocDbError (31253, 31254, …) when inclusion and exclusion are mixed, and for paths that collide
 */
export function compileProjection(source: Doc, context: ProjectionContext): Projector {
  const projection = flattenPaths(source, (path) => new DocDbError(31250, `Path collision at ${path}`));
  const names = Object.keys(projection);
  if (names.length === 0) return (doc) => doc;
  const root = new Map<string, Node>();
  const seen = new Map<string, Node>();
  let mode: 'include' | 'exclude' | undefined;
  let idAction: boolean | undefined;
  let onlyMetadata = false;
  const computed: [string[], (doc: Doc) => Value][] = [];
  const matched: [string, ArrayOperator['of']][] = [];

  const positionals = names.filter((name) => name.endsWith('.$'));
  if (positionals.length > 1) throw new DocDbError(31276, 'Cannot specify more than one positional projection per query.');
  for (const name of names) {
    const value = projection[name];
    checkPath(name, value, context);
    if (isFlag(value)) {
      const include = flag(value);
      if (name === '_id') {
        place(seen, ['_id'], { kind: 'include' });
        idAction = include;
        continue;
      }
      const wanted = include ? 'include' : 'exclude';
      if (mode !== undefined && mode !== wanted) {
        throw new DocDbError(
          include ? 31253 : 31254,
          `Cannot do ${include ? 'inclusion' : 'exclusion'} on field ${name} in ${include ? 'exclusion' : 'inclusion'} projection`,
        );
      }
      mode = wanted;
      place(seen, withoutPosition(name).split('.'), { kind: wanted });
      place(root, withoutPosition(name).split('.'), { kind: wanted });
      continue;
    }
    const special = isDocument(value) && context.stage !== true ? arrayOperator(value, context) : undefined;
    if (special) {
      if (special.includes && positionals.length > 0)
        throw new DocDbError(31255, `Cannot use positional projection together with $elemMatch: ${name}`);
      place(seen, name.split('.'), { kind: 'value', of: special.of });
      place(root, name.split('.'), { kind: 'value', of: special.of });
      if (special.includes) matched.push([name, special.of]);
    } else {
      const isMeta = isDocument(value) && '$meta' in value;
      if (mode === 'exclude' && !isMeta)
        throw new DocDbError(isDocument(value) ? 31252 : 31310, 'Cannot use an expression other than $meta in an exclusion projection');
      if (!isMeta) mode = 'include';
      else onlyMetadata = context.stage === true;
      place(seen, name.split('.'), { kind: 'include' });
      computed.push([name.split('.'), context.compute(value)]);
    }
  }
  if (matched.length > 0 || onlyMetadata) mode ??= 'include';
  // What $elemMatch chooses comes behind the fields that are only shown.
  if (mode === 'include')
    for (const [name, of] of matched)
      if (root.delete(name)) computed.unshift([[name], (doc): Value => (Object.hasOwn(doc, name) ? of(doc[name], doc) : undefined)]);
  for (const [path] of computed) markComputed(root, path);
  const including = mode === 'include' || (mode === undefined && idAction === true && root.size === 0);
  const show = project(root, including, idAction ?? true, computed);
  const [positional] = positionals;
  return positional === undefined ? show : withPosition(show, withoutPosition(positional), context);
}

function withoutPosition(name: string): string {
  return name.endsWith('.$') ? name.slice(0, -2) : name;
}

/** @throws DocDbError (15, 15998, 16410, 31271, 31324, 31394, 40352, 40353, 51270) for a path that cannot be shown */
function checkPath(name: string, value: Value, { stage }: ProjectionContext): void {
  if (name.includes('.$.'))
    throw new DocDbError(31394, `As of 4.4, it's illegal to specify positional operator in the middle of a path: ${name}`);
  const positional = name.endsWith('.$');
  if (positional && stage === true) throw new DocDbError(31324, 'Cannot use positional projection in aggregation projection');
  if (positional && !isFlag(value))
    throw new DocDbError(31271, `positional projection cannot be used with an expression or sub object: ${name}`);
  if (name === '.$') throw new DocDbError(5392900, "Positional projection '.$' has no path");
  fieldPath(withoutPosition(name));
  if (isDocument(value) && Object.keys(value).length === 0)
    throw new DocDbError(51270, `An empty sub-projection is not a valid value: ${name}`);
  if (!isDocument(value) || Object.keys(value)[0]?.startsWith('$') !== true) return;
  if (Object.keys(value).length > 1) throw new DocDbError(16410, `an expression of a projection has one operator: ${name}`);
}

function isFlag(value: Value): boolean {
  return typeof value === 'boolean' || isNumber(value);
}

function flag(value: Value): boolean {
  return typeof value === 'boolean' ? value : Number(String(value)) !== 0;
}

function place(children: Map<string, Node>, path: readonly string[], action: Action, whole: string = path.join('.')): void {
  const [head = '', ...rest] = path;
  const known = children.get(head);
  if (rest.length === 0) {
    if (known) throw new DocDbError(31250, `Path collision at ${whole}`);
    children.set(head, { kind: 'leaf', action });
    return;
  }
  if (known?.kind === 'leaf') throw new DocDbError(31249, `Path collision at ${whole} remaining portion ${rest.join('.')}`);
  const tree: Tree = known ?? { kind: 'tree', children: new Map<string, Node>(), computes: false };
  children.set(head, tree);
  place(tree.children, rest, action, whole);
}

/** Marks the fields that are shown in part on the way to a computed one. */
function markComputed(root: Map<string, Node>, path: readonly string[]): void {
  let children: Map<string, Node> | undefined = root;
  for (const name of path) {
    const node: Node | undefined = children?.get(name);
    if (node?.kind !== 'tree') return;
    node.computes = true;
    children = node.children;
  }
}

function project(
  root: Map<string, Node>,
  including: boolean,
  withId: boolean,
  computed: readonly [string[], (doc: Doc) => Value][],
): Projector {
  const shown = (doc: Doc): Doc => {
    let result: Doc = {};
    for (const name of Object.keys(doc)) {
      if (name === '_id' && !root.has('_id')) {
        if (withId) result = put(result, name, doc[name]);
        continue;
      }
      const value = apply(root.get(name), doc[name], including, doc);
      if (value !== undefined) result = put(result, name, value);
    }
    return result;
  };
  if (computed.length === 0) return (doc) => perDocument(() => shown(doc));
  const paths = computed.map(([path]) => path);
  const tree = pathTree(paths, (path) => new DocDbError(31250, `Path collision at ${path}`));
  const firsts = new Map([...paths].reverse().map(([head = '', ...rest]) => [head, rest]));
  return (doc) => {
    const result = perDocument(() => shown(doc));
    const values = computed.map(([, of]) => of(doc));
    return perDocument(() => withPaths(result, tree, values, (head) => shapeOf(own(doc, head), firsts.get(head) ?? [])));
  };
}

/** @param deep whether a list in a list is on the way: what is below it is shown whole */
function apply(node: Node | undefined, value: Value, including: boolean, doc: Doc, deep = false): Value {
  if (!node) return including ? undefined : value;
  if (node.kind === 'leaf') {
    if (node.action.kind === 'value') return deep ? value : node.action.of(value, doc);
    return node.action.kind === 'include' ? value : undefined;
  }
  return applyTree(node, value, including, doc, deep);
}

function applyTree(tree: Tree, value: Value, including: boolean, doc: Doc, deep: boolean): Value {
  const { children, computes } = tree;
  if (Array.isArray(value)) {
    made(value.length);
    const list = (value as Value[]).map((element) => applyTree(tree, element, including, doc, deep || Array.isArray(element)));
    return computes ? list.map((element): Value => element ?? {}) : list.filter((element) => element !== undefined);
  }
  if (!isDocument(value)) return including ? undefined : value;
  made();
  let result: Doc = {};
  for (const name of Object.keys(value)) {
    const kept = apply(children.get(name), value[name], including, doc, deep);
    if (kept !== undefined) result = put(result, name, kept);
  }
  return result;
}

/**
 * A computed path keeps the shape of the arrays on its way, though their other fields are not shown.
 *
 * @returns arrays as long and as deep as those on a path, with an empty document for each other value; nothing where there are none
 */
function shapeOf(value: Value, path: readonly string[]): Value {
  if (Array.isArray(value)) {
    made(value.length);
    return (value as Value[]).map((element) => shapeOf(element, path) ?? {});
  }
  const [head, ...rest] = path;
  if (head === undefined || !isDocument(value) || !Object.hasOwn(value, head)) return undefined;
  made();
  const inner = shapeOf(value[head], rest);
  return inner === undefined ? undefined : { [head]: inner };
}

/** The positional `$`: of the first list on a path only the element is shown whose place the query matched. */
function withPosition(show: Projector, path: string, context: ProjectionContext): Projector {
  if ('$expr' in (context.filter ?? {}))
    throw new DocDbError(224, `Can't use the positional operator where a query has a $expr, which no element fits or does not: ${path}`);
  const find = positionFinder(context.filter ?? {}, context);
  const parts = path.split('.');
  return (doc) => onlyAt(show(doc), parts, () => find(doc)) as Doc;
}

function onlyAt(value: Value, path: readonly string[], place: () => number): Value {
  if (Array.isArray(value)) {
    const index = place();
    if (index < 0) throw new DocDbError(51246, "positional operator '.$' couldn't find a matching element in the array");
    if (index >= value.length) throw new DocDbError(51247, "positional operator '.$' element mismatch");
    return [(value as Value[])[index]];
  }
  const [head, ...rest] = path;
  if (head === undefined || !isDocument(value) || !Object.hasOwn(value, head)) return value;
  return put(copyOf(value), head, onlyAt(value[head], rest, place));
}
