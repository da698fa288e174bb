// The versions of this repository's packages: written by `pnpm version-packages`.
/** Versions that projects get. */
export const VERSIONS: Readonly<Record<string, string>> = {
  '@framework/adapter-docdb': '0.1.0',
  '@framework/adapter-memory': '0.1.0',
  '@framework/audit': '0.1.0',
  '@framework/authentication': '0.1.0',
  '@framework/authentication-local': '0.1.0',
  '@framework/authentication-oauth': '0.1.0',
  '@framework/core': '0.1.0',
  '@framework/docdb-embedded': '0.1.0',
  '@framework/errors': '0.1.0',
  '@framework/openapi': '0.1.0',
  '@framework/schema': '0.1.0',
  '@framework/transport-express': '0.1.0',
  '@framework/transport-socketio': '0.1.0',
  '@framework/transport-sse': '0.1.0',
  'create-framework': '0.1.0',
};
