import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** An application, as its module exports it. */
export interface LoadedApplication {
  /** Its services by path, those of mounted applications too. */
  readonly services: object;
  /** Sets its services up. */
  setup?(): unknown;
}

/**
 * Loads the module of an application, for programs that look at one. It exports the application, or a function that gives it or a promise of it.
 *
 * @param file path of a JavaScript module
 * @param name the export. Default: `app`, else the default export
 * @throws Error when there is no such module, it has no such export, or it is no application
 */
export async function loadApplication(file: string, name?: string): Promise<LoadedApplication> {
  if (!existsSync(resolve(file))) throw new Error(`There is no ${file}: correct the path, or build the application first`);
  const exports = await importModule(file);
  const value = name === undefined ? (exports.app ?? exports.default) : exports[name];
  if (value === undefined) {
    const others = Object.keys(exports).join(', ');
    throw new Error(
      `${file} has no export ${name === undefined ? "'app' and no default export" : `'${name}'`}: ` +
        (others === '' ? 'export the application' : `export the application, or name one of ${others} by --export`),
    );
  }
  const app = isApplication(value) || !isFunction(value) ? value : await value();
  if (isApplication(app)) return app;
  throw new Error(`${file} exports no application: what it gives has no services`);
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (!isOfUnknownKind(cause)) throw cause;
    throw new Error(
      `Node.js ${process.versions.node} does not read ${file}, or a module that it imports: name the compiled one, such as dist/app.js, or take Node.js 22.18 or newer for TypeScript (${cause.message})`,
      { cause },
    );
  }
}

function isOfUnknownKind(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
}

/** Applications of Express are functions. */
function isApplication(value: unknown): value is LoadedApplication {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const services: unknown = Reflect.get(value, 'services');
  return typeof services === 'object' && services !== null;
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function';
}
