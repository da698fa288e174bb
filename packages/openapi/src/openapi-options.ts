import { checkOptionNames, stripSlashes } from '@framework/core';
import type { ApiInfo, ApiServer, OpenApiVersion } from './document/types.ts';
import { PAGES, type PageName } from './page/pages.ts';

/** What a document is made with. */
export interface DocumentOptions {
  /** Title and version of the API, and more. Default: the title `API` and the version `0.0.0`. */
  readonly info?: ApiInfo;
  /** Where the API is reached. Default: the host of the document, and the path where the application is mounted by Express. */
  readonly servers?: readonly ApiServer[];
  /** Version of OpenAPI. Default: `3.1`. */
  readonly version?: OpenApiVersion;
  /**
   * Parameters of a call, for whom the document is: properties that rules by role let such a caller see are in it, for example `{ user: { role: 'admin' } }`.
   * Default: a caller of whom nothing is known.
   */
  readonly viewer?: object;
  /** Told, in a sentence with the path of the service, of what is not declared. Default: a warning of the process. */
  readonly onWarning?: (message: string) => void;
}

/** A page that shows the document. */
export interface PageOptions {
  /** The tool, whose package the application has installed. */
  readonly use: PageName;
  /** Whether the page is there with `NODE_ENV=production`. Default: `false`. */
  readonly production?: boolean;
}

/** Options of `openapi`. */
export interface OpenApiOptions extends DocumentOptions {
  /** Path of the document. Default: `openapi.json`. */
  readonly path?: string;
  /** A page that shows the document, at `<path>/ui`; off in production unless it says otherwise. Default: none. */
  readonly ui?: PageName | PageOptions;
}

/** Options with their defaults. */
export interface OpenApiSettings {
  readonly info: ApiInfo;
  /** `undefined` for the host of the document, and the path where the application lies there. */
  readonly servers: readonly ApiServer[] | undefined;
  readonly version: OpenApiVersion;
  readonly viewer: object;
  readonly onWarning: (message: string) => void;
  readonly path: string;
  readonly ui: Required<PageOptions> | undefined;
}

const NAMES: ReadonlySet<string> = new Set<keyof OpenApiOptions>(['info', 'servers', 'version', 'viewer', 'onWarning', 'path', 'ui']);
const INFO: ReadonlySet<string> = new Set<keyof ApiInfo>([
  ...(['title', 'version', 'summary', 'description', 'termsOfService', 'contact', 'license'] as const),
]);

/**
 * Options with their defaults.
 *
 * @throws TypeError for an option that there is not, or that can not be meant
 */
export function openApiSettings(options: OpenApiOptions): OpenApiSettings {
  checkOptionNames('openapi()', options, NAMES);
  const { info = { title: 'API', version: '0.0.0' }, servers, version = '3.1', viewer = {}, path = 'openapi.json' } = options;
  if (version !== '3.1' && version !== '3.2')
    throw new TypeError(`The option 'version' of openapi() is '3.1' or '3.2', the version of OpenAPI`);
  if (typeof viewer !== 'object' || viewer === null)
    throw new TypeError("The option 'viewer' of openapi() has to be an object of parameters");
  const { onWarning = warn } = options;
  if (typeof onWarning !== 'function') throw new TypeError("The option 'onWarning' of openapi() has to be a function");
  return {
    info: checkedInfo(info),
    servers: servers && checkedServers(servers),
    version,
    viewer,
    onWarning,
    path: checkedPath(path),
    ui: pageOptions(options.ui),
  };
}

function warn(message: string): void {
  process.emitWarning(message, 'OpenApiWarning');
}

function checkedInfo(info: ApiInfo): ApiInfo {
  const text = (value: unknown): boolean => typeof value === 'string' && value !== '';
  if (typeof info !== 'object' || info === null || !text(info.title) || !text(info.version))
    throw new TypeError("The option 'info' of openapi() needs a title and a version, for example { title: 'Cities', version: '1.0.0' }");
  const unknown = Object.keys(info).find((name) => !INFO.has(name) && !name.startsWith('x-'));
  if (unknown !== undefined) throw new TypeError(`The option 'info' of openapi() has no '${unknown}'. It has ${[...INFO].join(', ')}`);
  return info;
}

function checkedServers(servers: readonly ApiServer[]): readonly ApiServer[] {
  const isServer = (server: unknown): boolean => typeof (server as Partial<ApiServer> | null)?.url === 'string';
  const list: readonly unknown[] = Array.isArray(servers) ? servers : [];
  if (list.length === 0 || !list.every(isServer))
    throw new TypeError("The option 'servers' of openapi() has to be a list of { url }, for example [{ url: 'https://api.example.com' }]");
  return servers;
}

function checkedPath(path: unknown): string {
  const plain = typeof path === 'string' ? stripSlashes(path) : '';
  if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(plain))
    throw new TypeError(
      "The option 'path' of openapi() has to be a path of letters, digits, '-', '_', '.' and '~', for example 'openapi.json'",
    );
  return plain;
}

function pageOptions(ui: OpenApiOptions['ui']): Required<PageOptions> | undefined {
  if (ui === undefined) return undefined;
  const given: PageOptions = typeof ui === 'string' ? { use: ui } : ui;
  const { use, production = false, ...others } = given ?? {};
  const [unknown] = Object.keys(others);
  if (typeof use !== 'string' || !Object.hasOwn(PAGES, use) || unknown !== undefined || typeof production !== 'boolean')
    throw new TypeError(
      `The option 'ui' of openapi() is one of ${Object.keys(PAGES).join(', ')}, or { use, production } with one of them and true or false`,
    );
  return { use, production };
}
