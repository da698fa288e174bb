import { BadRequest } from '@framework/errors';
import { NOT_ASCII, stripSlashes } from '../path.ts';
import { refusePlaceholders } from './refuse-placeholders.ts';
import { refuseEncoded, segmentText } from './url-path.ts';

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
 * with backtracking (reference 4.2). Segments are compared and become values URI-decoded (decisions: path ids); a slash that is encoded ends none.
 */
export class RouteTable<T> {
  /** Whether paths are compared by case. */
  caseSensitive = true;
  readonly #root: Node<T> = createNode();

  /**
   * @param path for example `users/:userId/messages`
   * @param params fixed values, given to each match
   * @throws Error when the path is taken, percent-encoded or none that URLs have as it is, and for placeholders that can not have a value each
   */
  insert(path: string, value: T, params: Readonly<Record<string, string>> = {}): void {
    const segments = segmentsOf(path);
    refusePlaceholders(segments, path);
    refuseEncoded(path);
    let node = this.#root;
    for (const segment of segments) node = segment.startsWith(':') ? placeholder(node, segment.slice(1)) : child(node, segment);
    if (node.entry) throw new Error(`Path ${path} already exists`);
    node.entry = { value, params };
  }

  /** Takes a path out; paths below it stay, and nothing is kept of what led to it alone. */
  remove(path: string): void {
    takeOut(this.#root, segmentsOf(path));
  }

  /**
   * @param path the path of a URL, still encoded, with or without outer slashes
   * @returns the match, or `undefined`
   * @throws BadRequest (400) when a placeholder's value is not valid percent-encoding
   */
  lookup(path: string): RouteMatch<T> | undefined {
    const stripped = stripSlashes(path);
    const values: string[] = [];
    const entry = this.#find(this.#root, stripped, stripped === '' ? 1 : 0, values);
    if (!entry) return undefined;
    const params: Record<string, string> = {};
    for (const name of Object.keys(entry.params)) params[name] = entry.params[name] as string;
    for (let index = 0; index < values.length; index += 2) {
      const value = values[index + 1] as string;
      params[values[index] as string] = value.includes('%') ? decoded(value) : value;
    }
    return { value: entry.value, params };
  }

  /**
   * @param start where the next segment begins; behind the end when there is none left
   * @param values gets names and values of placeholders in turn
   */
  #find(node: Node<T>, path: string, start: number, values: string[]): Node<T>['entry'] {
    if (start > path.length) return node.entry;
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(start, end);
    const fixed = this.#fixed(node, segmentText(segment));
    const found = fixed && this.#find(fixed, path, end + 1, values);
    if (found) return found;
    // Nothing has an empty name, and middleware with the same placeholder does not stand on the way of `users//notes`.
    if (segment === '') return undefined;
    for (const { name, node: next } of node.placeholders) {
      values.push(name, segment);
      const match = this.#find(next, path, end + 1, values);
      if (match) return match;
      values.length -= 2;
    }
    return undefined;
  }

  #fixed(node: Node<T>, text: string | undefined): Node<T> | undefined {
    if (text === undefined) return undefined;
    // Most of what is not found is an id, which has to cost nothing.
    const found = node.statics.get(text) ?? (NOT_ASCII.test(text) ? node.statics.get(text.normalize()) : undefined);
    return found ?? (this.caseSensitive ? undefined : findIgnoringCase(node, text));
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new BadRequest('The path has bad percent-encoding');
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

/** @returns whether nothing is left of the node */
function takeOut<T>(node: Node<T>, [segment, ...rest]: readonly string[]): boolean {
  if (segment === undefined) node.entry = undefined;
  else if (segment.startsWith(':')) {
    const at = node.placeholders.findIndex(({ name }) => name === segment.slice(1));
    const next = node.placeholders[at];
    if (next && takeOut(next.node, rest)) node.placeholders.splice(at, 1);
  } else {
    const next = node.statics.get(segment);
    if (next && takeOut(next, rest)) node.statics.delete(segment);
  }
  return node.entry === undefined && node.statics.size === 0 && node.placeholders.length === 0;
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
