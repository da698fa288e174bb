// The import graph of ARCHITECTURE.md, as rules.
const allowed = {
  errors: [],
  configuration: [],
  query: ['errors'],
  core: ['errors'],
  schema: ['errors', 'query', 'core'],
  authentication: ['core', 'errors'],
  'authentication-local': ['authentication', 'core', 'errors'],
  'authentication-oauth': ['authentication', 'core', 'errors'],
  'transport-express': ['core', 'errors'],
  'adapter-docdb': ['core', 'query', 'errors'],
  'adapter-memory': ['core', 'query', 'errors'],
  'adapter-tests': [],
  'docdb-embedded': [],
  audit: ['core'],
  openapi: ['core'],
  'create-framework': [],
  migrate: [],
  client: ['query'],
  channels: ['core', 'errors'],
  'transport-socketio': ['channels', 'core', 'errors'],
  'transport-sse': ['channels', 'core', 'errors'],
  'events-redis': ['channels'],
};

const perPackage = Object.entries(allowed).map(([name, others]) => ({
  name: `${name}-imports`,
  comment: `packages/${name} may import ${others.length > 0 ? others.join(', ') : 'no other package of ours'}`,
  severity: 'error',
  from: { path: `^packages/${name}/src/` },
  to: { path: '^packages/', pathNot: [`^packages/${name}/`, ...others.map((other) => `^packages/${other}/`)] },
}));

export default {
  forbidden: [
    // Types may refer to each other; code that runs may not.
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^packages/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-tests-in-sources', severity: 'error', from: { path: '/src/' }, to: { path: '/test/' } },
    {
      name: 'core-knows-no-http',
      severity: 'error',
      from: { path: '^packages/core/src' },
      to: { path: '^(node:)?(http|https|http2)$|express|mongodb|jose' },
    },
    {
      name: 'http-only-in-transports',
      severity: 'error',
      from: { path: '^packages/(?!transport-)[^/]+/src' },
      to: { path: '^(node:)?https?$|node_modules/express' },
    },
    {
      name: 'driver-only-in-the-adapter',
      severity: 'error',
      from: { path: '^packages/(?!adapter-docdb)[^/]+/src' },
      to: { path: 'node_modules/mongodb/' },
    },
    ...perPackage,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(dist|test|test-d)/' },
    // What runs is what does not say `type`, by `verbatimModuleSyntax` and the rule `no-import-type-side-effects`: no need to compile each file to know.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.check.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@framework/source', 'import', 'node', 'default'] },
  },
};
