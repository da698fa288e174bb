import { isApplication, nestApplication, stripSlashes } from '@framework/core';
import { routerOf, type ExpressInternals, type Layer } from '../dispatch/express-internals.ts';

/** An Express application, and where it is in another one. */
interface Mounted {
  readonly app: object;
  readonly path: string;
}

/** What Express tells of a mounted application; its parent has nothing of it but a function that calls it. */
interface Mountable {
  on(event: 'mount', listener: (parent: object) => void): unknown;
  readonly mountpath: unknown;
  readonly parent?: object;
}

const mountedIn = new WeakMap<object, Mounted[]>();
const watched = new WeakSet<object>();

/** Remembers in which applications one is mounted, plain ones of Express too, and those in others. */
export function rememberMounts(app: object): void {
  if (watched.has(app) || !isMountable(app)) return;
  watched.add(app);
  const remember = (parent: object): void => {
    mountedIn.set(parent, [...(mountedIn.get(parent) ?? []), ...pathTexts(app.mountpath).map((path) => ({ app, path }))]);
    rememberMounts(parent);
  };
  if (app.parent) remember(app.parent);
  app.on('mount', remember);
}

/** Remembers plain applications of Express among what is given to `app.use`: something of ours may be behind them. */
export function rememberPlain(args: readonly unknown[]): void {
  for (const value of args.flat(Infinity)) if (typeof value === 'function' && !isApplication(value)) rememberMounts(value);
}

/**
 * Lets the hooks of an application run around the services of those that its requests reach by routers, routes and plain applications of Express, before there is a
 * request: who looks at its services finds them all. What a middleware calls is known with its first request.
 *
 * @param app an Express application that is a service application too
 */
export function nestReached(app: object): void {
  for (const { node, path } of reachedFrom(app)) {
    if (!isApplication(node)) continue;
    nestApplication(app, node, path);
    nestReached(node);
  }
}

/** What an application hands requests on to, and the path to it. */
interface Reached {
  readonly node: object;
  readonly path: string;
}

/** All that an application hands requests on to; of another one of ours not what that hands on. */
function* reachedFrom(app: object): Generator<Reached> {
  // What holds itself would be looked at for ever.
  const around = new Set<object>();
  function* at(node: object, path: string): Generator<Reached> {
    if (around.has(node)) return;
    yield { node, path };
    if (!isApplication(node)) yield* inside(node, path);
  }
  function* inside(node: object, prefix: string): Generator<Reached> {
    around.add(node);
    for (const { app: mounted, path } of mountedIn.get(node) ?? []) yield* at(mounted, below(prefix, path));
    for (const layer of stackOf(node)) {
      // A route leaves the path as it is.
      if (layer.route) for (const { handle } of layersOf(layer.route)) yield* at(handle, prefix);
      else for (const path of pathsOf(layer)) yield* at(layer.handle, below(prefix, path));
    }
    around.delete(node);
  }
  yield* inside(app, '');
}

/**
 * The path of a middleware that has a request, as the application was given it: however the request is spelled, and whatever it has in the place of a placeholder.
 *
 * @param app an Express application
 * @param base the part of the URL that was taken on the way to the middleware
 * @returns `base` itself where no version of Express tells the path
 */
export function pathOfBase(app: object, base: string): string {
  const texts = [...reachedFrom(app)].map(({ path }) => path);
  const wanted = below(base, '');
  const isSame = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  return texts.find((text) => text === wanted) ?? texts.find(isSame) ?? texts.find((text) => fits(text, wanted)) ?? base;
}

function fits(text: string, path: string): boolean {
  const [pattern, parts] = [text.split('/'), path.split('/')];
  const isPart = (part: string, at: number): boolean => part.startsWith(':') || part.toLowerCase() === parts[at]?.toLowerCase();
  return pattern.length === parts.length && pattern.every(isPart);
}

const below = (prefix: string, path: string): string =>
  [prefix, path]
    .map(stripSlashes)
    .filter((part) => part !== '')
    .join('/');

function isMountable(value: object): value is Mountable {
  return typeof value === 'function' && 'mountpath' in value && 'on' in value && typeof value.on === 'function';
}

/** The layers of an application or a router; other functions have none. */
function stackOf(node: object): readonly Layer[] {
  if (isMountable(node)) return routerOf(node as object as ExpressInternals)?.stack ?? [];
  return layersOf(node);
}

function layersOf(node: object): readonly Layer[] {
  return 'stack' in node && Array.isArray(node.stack) ? (node.stack as Layer[]) : [];
}

/** The paths of a mount; patterns are told by their text. */
export function pathTexts(path: unknown): readonly string[] {
  const texts = [path].flat(Infinity).map((one) => (one instanceof RegExp ? one.source : typeof one === 'string' ? one : ''));
  return texts.length === 0 ? [''] : texts;
}

/** The paths that a layer was added with; `*` where no version of Express tells it. */
function pathsOf(layer: Layer): readonly string[] {
  const { rawPath, slash, regexp, keys = [] } = layer as Layer & LayerPath;
  if (rawPath !== undefined) return pathTexts(rawPath);
  if (slash === true || regexp?.fast_slash === true) return [''];
  if (regexp === undefined) return ['*'];
  let index = 0;
  const sources = regexp.source.split('\\/?(?=\\/|$)');
  // Behind the last one stands what ends the pattern.
  return (sources.length > 1 ? sources.slice(0, -1) : sources).map((source) =>
    source
      .replace(/^\|?(?:\(\?:)?\^/, '')
      .replace(/\(\?:(\\\/)?\([^()]*\)\)/g, (_group, inner?: string) => `${inner ?? ''}:${String(keys[index++]?.name ?? '')}`)
      .replaceAll(/\\(.)/g, '$1'),
  );
}

/** What layers of the versions of Express tell of their paths: router 2.3 has it, before that only whether it is the root, and Express 4 its pattern. */
interface LayerPath {
  readonly rawPath?: unknown;
  readonly slash?: boolean;
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  readonly keys?: readonly { readonly name: unknown }[];
}
