import { stripSlashes } from '../path.ts';

/** A match of {@link RouteTable.lookup}. */
export interface RouteMatch<T> {
  /** What was inserted. */
  readonly value: T;
  /** Values of the placeholders; the id is under `__id`. */
  readonly params: Record<string, string>;
}

interface Node<T> {
  readonly statics: Map<string, Node<T>>;
  readonly placeholders: { readonly name: string; readonly node: Node<T> }[];
  entry: { readonly value: T; readonly params: Readonly<Record<string, string>> } | undefined;
}

/**
 * Finds a service by its path: fixed segments before placeholders, placeholders in the order of their registration,
 * with backtracking (reference 4.2). Segments are URI-decoded when they become values (decisions: path ids).
 */
export class RouteTable<T> {
  /** Whether paths are compared by case. */
  caseSensitive = true;
  readonly #root: Node<T> = createNode();

  /**
   * @param path for example `users/:userId/messages`
   * @param params fixed values, given to each match
   * @throws Error when the path is taken
   */
  insert(path: string, value: T, params: Readonly<Record<string, string>> = {}): void {
    let node = this.#root;
    for (const segment of segmentsOf(path)) node = segment.startsWith(':') ? placeholder(node, segment.slice(1)) : child(node, segment);
    if (node.entry) throw new Error(`Path ${path} already exists`);
    node.entry = { value, params };
  }

  /** Takes a path out; paths below it stay. */
  remove(path: string): void {
    let node: Node<T> | undefined = this.#root;
    for (const segment of segmentsOf(path)) {
      node = segment.startsWith(':') ? node?.placeholders.find(({ name }) => name === segment.slice(1))?.node : node?.statics.get(segment);
    }
    if (node) node.entry = undefined;
  }

  /**
   * @param path the path of a URL, still encoded, with or without outer slashes
   * @returns the match, or `undefined`
   * @throws URIError when a placeholder's value is not valid percent-encoding
   */
  lookup(path: string): RouteMatch<T> | undefined {
    const segments = segmentsOf(path);
    const values: [string, string][] = [];
    const entry = this.#find(this.#root, segments, 0, values);
    if (!entry) return undefined;
    const params: Record<string, string> = { ...entry.params };
    for (const [name, value] of values) params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    return { value: entry.value, params };
  }

  #find(node: Node<T>, segments: readonly string[], index: number, values: [string, string][]): Node<T>['entry'] {
    if (index === segments.length) return node.entry;
    const segment = segments[index] as string;
    const fixed = node.statics.get(segment) ?? (this.caseSensitive ? undefined : findIgnoringCase(node, segment));
    const found = fixed && this.#find(fixed, segments, index + 1, values);
    if (found) return found;
    for (const { name, node: next } of node.placeholders) {
      values.push([name, segment]);
      const match = this.#find(next, segments, index + 1, values);
      if (match) return match;
      values.pop();
    }
    return undefined;
  }
}

function createNode<T>(): Node<T> {
  return { statics: new Map(), placeholders: [], entry: undefined };
}

function child<T>(node: Node<T>, segment: string): Node<T> {
  const known = node.statics.get(segment);
  if (known) return known;
  const created = createNode<T>();
  node.statics.set(segment, created);
  return created;
}

function placeholder<T>(node: Node<T>, name: string): Node<T> {
  const known = node.placeholders.find((entry) => entry.name === name);
  if (known) return known.node;
  const created = createNode<T>();
  node.placeholders.push({ name, node: created });
  return created;
}

function findIgnoringCase<T>(node: Node<T>, segment: string): Node<T> | undefined {
  const wanted = segment.toLowerCase();
  for (const [name, next] of node.statics) if (name.toLowerCase() === wanted) return next;
  return undefined;
}

function segmentsOf(path: string): string[] {
  const stripped = stripSlashes(path);
  return stripped === '' ? [] : stripped.split('/');
}
