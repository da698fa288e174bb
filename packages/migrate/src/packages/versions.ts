// The versions of this repository's packages: written by `pnpm version-packages`.
/** Versions that a changed application gets. */
export const VERSIONS: Readonly<Record<string, string>> = {
  '@framework/adapter-docdb': '0.1.0',
  '@framework/adapter-memory': '0.1.0',
  '@framework/authentication': '0.1.0',
  '@framework/authentication-local': '0.1.0',
  '@framework/authentication-oauth': '0.1.0',
  '@framework/channels': '0.1.0',
  '@framework/configuration': '0.1.0',
  '@framework/core': '0.1.0',
  '@framework/errors': '0.1.0',
  '@framework/query': '0.1.0',
  '@framework/schema': '0.1.0',
  '@framework/transport-express': '0.1.0',
  '@framework/transport-socketio': '0.1.0',
};

/** What other packages an application needs besides: peers that FeathersJS brought itself, and types that it passed on. */
export const OTHERS: Readonly<Record<string, string>> = {
  express: '^4.21.2',
  '@types/express': '^4.17.23',
  'socket.io': '^4.8.4',
  'json-schema-to-ts': '^3.1.1',
  '@sinclair/typebox': '^0.34.52',
  '@feathersjs/hooks': '^0.9.0',
  typescript: '^5.9.3',
};
