import { stripSlashes } from '../path.ts';
import { eachToItsEnd } from './each-to-its-end.ts';
import type { RegisteredService } from '../service/registered-service.ts';
import { registriesIn, teardownService } from './lifecycle.ts';
import { pathText } from '../routing/url-path.ts';
import { below, placeOutside, takeOut } from './registration.ts';
import { registryOf, type Mount, type Registry } from './registry.ts';
import { allOrNothing, type Undo } from './transaction.ts';

/**
 * Puts one application below a path of another one, with all its services, also those that it registers later.
 *
 * @param path of the parent
 * @param routed whether the parent's routes lead to the services
 * @throws Error when one of the paths is taken, or one application would lie in itself; nothing has changed then
 */
export function mountApplication(parent: Registry, child: Registry, path: string, routed: boolean): void {
  const place: Mount = { parent, child, prefix: stripSlashes(path), routed };
  if (holds(child, parent)) throw new Error(`An application can not be mounted in itself (at '${path}')`);
  if (mountAt(parent, child, place.prefix)) throw new Error(`The application is mounted at '${path}' already`);
  function* steps(): Generator<() => Undo> {
    for (const [location, service] of child.registered) yield () => placeOutside(place, location, service, true);
    yield () => {
      child.parents.add(place);
      parent.children.add(place);
      return () => {
        child.parents.delete(place);
        parent.children.delete(place);
      };
    };
  }
  allOrNothing(steps());
  parent.lifecycle.setupMountedLate(place);
}

/**
 * Lets the hooks of an application run around the services of another one that it hands requests on to, for transports: the services keep
 * the routes of their own application alone. It may lie at several paths.
 *
 * @param parent the outer application, or what wraps it
 * @param child the inner one, or what wraps it
 * @param path where the inner one lies, as URLs have it
 * @throws TypeError for anything but applications, Error when one would lie in itself
 */
export function nestApplication(parent: object, child: object, path: string): void {
  const [outer, inner] = [registryOf(parent), registryOf(child)];
  if (!outer || !inner) throw new TypeError('Only applications made by framework() can lie in each other');
  const text = pathText(path);
  if (!mountAt(outer, inner, stripSlashes(text))) mountApplication(outer, inner, text, false);
}

/**
 * Tells whether an application lies in another one, at whatever path: directly, and not in one between them.
 *
 * @param parent the outer application, or what wraps it
 * @param child the inner one, or what wraps it
 */
export function isNested(parent: object, child: object): boolean {
  const outer = registryOf(parent);
  for (const place of registryOf(child)?.parents ?? []) if (place.parent === outer) return true;
  return false;
}

/** An application that a transport hands requests on to. */
export interface NestedApplication {
  /** The application, or what wraps it. */
  readonly app: object;
  /** Where it lies in the outer one, without outer slashes; empty for its root. */
  readonly path: string;
}

/**
 * The applications that lie in another one by {@link nestApplication}: the outer one has their services, and the routes to them are their own.
 *
 * @param app the outer application, or what wraps it
 * @returns those directly in it, in the order in which they came; none for what is no application
 */
export function nestedApplications(app: object): readonly NestedApplication[] {
  const nested = [...(registryOf(app)?.children ?? [])].filter(({ routed }) => !routed);
  return nested.map(({ child, prefix }) => ({ app: child.facade, path: prefix }));
}

/**
 * The applications that a path leads through to a service: those that were mounted with their services, and not those that a transport hands requests on to.
 *
 * @param app the outer application, or what wraps it
 * @param path the path of a URL, still encoded
 * @returns from the outside in; none for a path without a service, and for a service of the outer application itself
 * @throws BadRequest (400) for invalid percent-encoding in a placeholder
 */
export function mountedAt(app: object, path: string): readonly object[] {
  const registry = registryOf(app);
  if (!registry || ![...registry.children].some(({ routed }) => routed)) return [];
  const match = registry.routes.lookup(path);
  return match ? leadThrough(registry, match.value.path) : [];
}

function leadThrough({ children }: Registry, path: string): readonly object[] {
  for (const { child, prefix, routed } of children) {
    const location = routed ? locationIn(prefix, path) : undefined;
    if (location !== undefined && child.registered.has(location)) return [child.facade, ...leadThrough(child, location)];
  }
  return [];
}

/**
 * The applications that lie in another one, at any depth: those that were mounted with their services, and those that a transport hands requests on to.
 *
 * @param app the outer application, or what wraps it
 * @returns each once, from the outside in; none for what is no application
 */
export function mountedApplications(app: object): readonly object[] {
  const registry = registryOf(app);
  return registry ? [...registriesIn(registry)].map(({ facade }) => facade) : [];
}

/**
 * The applications that lie in no other one and have an application in them, at any depth: what is mounted in them listens together.
 *
 * @param app an application, or what wraps it
 * @returns each once; the application itself where it lies in none, and none for what is no application
 */
export function outermostApplications(app: object): readonly object[] {
  const registry = registryOf(app);
  return registry ? [...outermost(registry)].map(({ facade }) => facade) : [];
}

function outermost(registry: Registry): ReadonlySet<Registry> {
  if (registry.parents.size === 0) return new Set([registry]);
  return new Set([...registry.parents].flatMap(({ parent }) => [...outermost(parent)]));
}

/** @returns the path that {@link below} puts below a prefix; `undefined` for one that is elsewhere */
function locationIn(prefix: string, path: string): string | undefined {
  if (prefix === '') return path;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined;
}

/**
 * Takes a mounted application out, with all its services.
 *
 * @returns the application, or `undefined` when there is none at the path
 */
export async function unmountAt(parent: Registry, path: string): Promise<object | undefined> {
  const place = [...parent.children].find(({ prefix }) => below(prefix, '') === path);
  if (!place) return undefined;
  const { child, prefix } = place;
  child.parents.delete(place);
  parent.children.delete(place);
  const left = [...child.registered].filter(([location, service]) => takeOut(parent, below(prefix, location), service));
  await eachToItsEnd(
    left.map(
      ([, service]) =>
        () =>
          teardownService(service),
    ),
  );
  return child.facade;
}

/**
 * Refuses to take a service out of an application alone that hands requests on to the one that has it: they would go on reaching it, without the hooks of the outer one.
 *
 * @throws Error
 */
export function refuseHandedOn(parent: Registry, path: string, service: RegisteredService): void {
  for (const { child, prefix, routed } of parent.children) {
    if (routed || ![...child.registered].some(([location, other]) => other === service && below(prefix, location) === path)) continue;
    throw new Error(
      `'${path}' is a service of an application that requests are handed on to, which answers for it: take it out of that one, or all of that by unuse('${prefix}')`,
    );
  }
}

function mountAt(parent: Registry, child: Registry, prefix: string): boolean {
  return [...child.parents].some((place) => place.parent === parent && place.prefix === prefix);
}

/** @returns whether an application is the other one, or has it somewhere below */
function holds(outer: Registry, inner: Registry): boolean {
  if (outer === inner) return true;
  return [...inner.parents].some(({ parent }) => holds(outer, parent));
}
