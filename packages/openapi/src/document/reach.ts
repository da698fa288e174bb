import { nestedApplications, transportsOf, urlPath, type EndpointDescription } from '@framework/core';
import type { DescribedCall } from './calls.ts';
import type { DescribedApplication, DescribedService } from './described-service.ts';

/** An application that answers requests, and where it lies in the one that is described. */
interface Answering {
  readonly app: DescribedApplication;
  /** Without outer slashes; empty for the application itself. */
  readonly prefix: string;
}

/** Who answers which requests: an application, and those that it hands requests on to, by their own routes. */
export class Reach {
  readonly #answering: readonly Answering[];

  constructor(app: DescribedApplication) {
    this.#answering = within(app, '');
  }

  /** What transports answer beside services, with its path in the described application. */
  get endpoints(): EndpointDescription[] {
    return this.#answering.flatMap(({ app, prefix }) =>
      transportsOf(app).flatMap(({ endpoints = [] }) => endpoints.map((endpoint) => ({ ...endpoint, path: below(prefix, endpoint.path) }))),
    );
  }

  /** Whether custom methods of a service have paths of their own. */
  hasMethodPaths({ path }: DescribedService): boolean {
    return this.#of(path).some(({ app }) => transportsOf(app).some(({ methodPaths }) => methodPaths === true));
  }

  /** Two services may have templates that the same path fits: the first one gets it. */
  isReached({ path }: DescribedService, { template, id }: DescribedCall): boolean {
    const asked = template.replace(/\{[^}]*\}/g, '~').slice(1);
    return this.#of(path).some(({ app, prefix }) => {
      if (app.lookup === undefined) return true;
      const found = app.lookup(`/${inside(urlPath(prefix), asked) ?? ''}`);
      const isOwn = found !== null && found !== undefined && found.path === (inside(prefix, path) || '/');
      return isOwn && (id === undefined || found.params.__id !== undefined);
    });
  }

  /** The applications that may answer at a path, the outermost first; the routes of each are asked. */
  #of(path: string): readonly Answering[] {
    return this.#answering.filter(({ app, prefix }) => {
      const own = inside(prefix, path);
      return own !== undefined && Object.hasOwn(app.services, own || '/');
    });
  }
}

function within(app: DescribedApplication, prefix: string): Answering[] {
  const nested = nestedApplications(app).filter((one): one is { app: DescribedApplication; path: string } => 'services' in one.app);
  return [{ app, prefix }, ...nested.flatMap((one) => within(one.app, below(prefix, one.path)))];
}

function below(prefix: string, path: string): string {
  return [prefix, path].filter((part) => part !== '').join('/');
}

/** @returns the rest of a path below a prefix, without outer slashes; `undefined` for one that lies elsewhere */
export function inside(prefix: string, path: string): string | undefined {
  if (prefix === '') return path === '/' ? '' : path;
  if (path === prefix) return '';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined;
}
