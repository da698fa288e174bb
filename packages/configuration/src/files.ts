import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, delimiter, resolve } from 'node:path';
import { Load, RawConfig, Util } from 'config/lib/util.js';
import parser from 'config/parser.js';
import { ConfigurationError } from './configuration-error.ts';
import type { ConfigurationOptions } from './configuration-options.ts';
import { parseFile, shownPath } from './parse-file.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';
import { checkNames, type NamedFiles } from './strict-mode.ts';
import { shownVariable } from './variables.ts';

/** The environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings from one place. */
export interface Layer {
  /** How an error names the place, for example `config/default.json`. */
  readonly source: string;
  readonly values: PlainObject;
}

/**
 * The files of the configuration folders, read by `config` (node-config) without its shared object: default, environment, host and local,
 * in each form that it knows. Further layers may lie over them.
 */
export class ConfigurationFiles {
  /** The maps of environment variables, lowest first. */
  readonly maps: readonly Layer[];
  /** The first folder, as an error names it. */
  readonly folder: string;
  readonly #load: Load;

  /** @throws ConfigurationError for a folder that is not there, or a file that can not be read */
  constructor(options: ConfigurationOptions, env: Environment) {
    const folders = (options.directory ?? set(env.NODE_CONFIG_DIR) ?? 'config').split(delimiter).map((folder) => resolve(folder));
    for (const folder of folders) if (!existsSync(folder)) throw missingFolder(folder);
    this.folder = shownPath(folders[0] ?? '');
    const environment = options.environment ?? set(env.NODE_CONFIG_ENV) ?? set(env.NODE_ENV) ?? 'development';
    const common = { configDir: folders.join(delimiter), nodeEnv: environment.split(',') };
    const instance = set(env.NODE_APP_INSTANCE);
    this.#load = withOwnErrors(
      {
        ...common,
        hostName: set(env.HOST) ?? set(env.HOSTNAME) ?? hostname(),
        ...(instance === undefined ? {} : { appInstance: instance }),
      },
      (load) => {
        Util.loadFileConfigs(load);
      },
    );
    if (env.NODE_CONFIG_STRICT_MODE === 'true' || env.NODE_CONFIG_STRICT_MODE === '1') {
      const files = this.#load.getSources().map(({ name }) => basename(name));
      checkNames(namedFiles(options, env, common.nodeEnv), files, this.folder);
    }
    this.maps = layersOf(
      withOwnErrors(common, (load) => {
        const names = parser.getFilesOrder();
        const wanted = Object.fromEntries([names].flat().map((form, index) => [`custom-environment-variables.${String(form)}`, index + 1]));
        for (const file of Util.locateMatchingFiles(common.configDir, wanted)) load.loadFile(file);
      }),
    );
  }

  /** The layers, lowest first. */
  get layers(): readonly Layer[] {
    return layersOf(this.#load);
  }

  /** Puts a layer over all others. */
  add({ source, values }: Layer): void {
    this.#load.addConfig(source, values);
  }

  /**
   * @returns all layers joined; deferred values are worked out
   */
  join(): PlainObject {
    const settings: PlainObject = this.#load.config;
    Util.resolveDeferredConfigs(settings);
    return settings;
  }
}

/** What environments and instance are called, and by whom. */
function namedFiles({ environment }: ConfigurationOptions, env: Environment, environments: readonly string[]): NamedFiles[] {
  const variable = set(env.NODE_CONFIG_ENV) === undefined ? 'NODE_ENV' : 'NODE_CONFIG_ENV';
  const source = environment === undefined ? shownVariable(variable) : 'the option `environment`';
  const instance = set(env.NODE_APP_INSTANCE);
  return [
    ...environments.map((name) => ({ name, source, kind: 'environment' as const })),
    ...(instance === undefined ? [] : [{ name: instance, source: shownVariable('NODE_APP_INSTANCE'), kind: 'instance' as const }]),
  ];
}

type Options = NonNullable<ConstructorParameters<typeof Load>[0]>;

/** The library puts the text of a parser's error into its own, and so a part of the file. */
function withOwnErrors(options: Options, read: (load: Load) => void): Load {
  let failed: ConfigurationError | undefined;
  const parse = (name: string, text: string): object => {
    try {
      return parseFile(name, text);
    } catch (error) {
      if (error instanceof ConfigurationError) failed ??= error;
      throw error;
    }
  };
  const load = new Load({ ...options, parser: { ...parser, parse } });
  try {
    read(load);
    return load;
  } catch (error) {
    throw failed ?? unreadable(options, error);
  }
}

function layersOf(load: Load): readonly Layer[] {
  return load.getSources().map(({ name, parsed }) => ({ source: shownPath(name), values: isPlainObject(parsed) ? parsed : {} }));
}

/** A variable that is set to nothing counts as not set, as in the map of the library. */
function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function missingFolder(folder: string): ConfigurationError {
  const mend = 'make it, or name another one by the option `directory` or by the environment variable NODE_CONFIG_DIR';
  return new ConfigurationError([{ path: '', message: `has no folder ${shownPath(folder)}`, mend }]);
}

function unreadable({ configDir = '' }: Options, cause: unknown): ConfigurationError {
  const folder = configDir.split(delimiter).map(shownPath).join(' and ');
  return new ConfigurationError(
    [{ path: '', source: `files in ${folder}`, message: 'can not be read', mend: 'the cause of this error says why' }],
    cause,
  );
}

export { RawConfig };
