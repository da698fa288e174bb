/** Where records are. */
export type DatabaseChoice =
  | { readonly kind: 'memory' }
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'mongodb';
      /** With the name of a database. */
      readonly url: string;
    };

/** Who logs in: nobody, users with a password, or those and users of another provider. */
export type LoginChoice = 'none' | 'local' | 'oauth';

/** How clients hear of changes. */
export type RealTimeChoice = 'none' | 'sse' | 'socketio';

/** What is installed with. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Such as `10.34.8`; empty when it is not known. */
  readonly version: string;
}

/** What a project is made of. */
export interface ProjectOptions {
  /** Name of the package, see `packageNameOf`. */
  readonly name: string;
  /** The folder as it was typed. */
  readonly folder: string;
  readonly language: 'ts' | 'js';
  readonly database: DatabaseChoice;
  readonly login: LoginChoice;
  readonly realTime: RealTimeChoice;
  readonly packageManager: PackageManager;
}
