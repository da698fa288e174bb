/** Names of the tools. */
export type PageName = 'rapidoc' | 'swagger' | 'scalar' | 'redoc';

/** A tool that shows documents. */
export interface PageTool {
  /** The package that the application installs. */
  readonly package: string;
  /** Scripts of the package, by their paths in it, in the order in which they run. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** What the page's policy allows besides its own scripts and styles. */
  readonly policy: readonly string[];
  /** Body of the function `show(spec, token)`, which shows a document in `#page`; `token` is what the document was asked for with, if anything. */
  readonly show: string;
}

/** Shows the schemes that take a token. */
const BEARERS = `const bearers = Object.entries(spec.components?.securitySchemes ?? {}).filter(([, { type, scheme }]) => type === 'http' && scheme === 'bearer').map(([name]) => name);`;

/** The tools, by the names of the option `ui`. */
export const PAGES: Readonly<Record<PageName, PageTool>> = {
  rapidoc: {
    package: 'rapidoc',
    scripts: ['dist/rapidoc-min.js'],
    styles: [],
    policy: [],
    show: `
  const page = document.createElement('rapi-doc');
  const settings = { 'render-style': 'read', 'show-header': 'false', 'load-fonts': 'false', 'allow-spec-url-load': 'false', 'allow-spec-file-load': 'false' };
  for (const [name, value] of Object.entries(settings)) page.setAttribute(name, value);
  ${BEARERS}
  page.addEventListener('spec-loaded', () => {
    if (token !== undefined) for (const name of bearers) page.setApiKey(name, token);
  });
  document.querySelector('#page').append(page);
  page.loadSpec(spec);`,
  },
  swagger: {
    package: 'swagger-ui-dist',
    scripts: ['swagger-ui-bundle.js'],
    styles: ['swagger-ui.css'],
    policy: [],
    show: `
  ${BEARERS}
  const page = SwaggerUIBundle({
    spec,
    dom_id: '#page',
    deepLinking: true,
    validatorUrl: null,
    onComplete: () => {
      if (token !== undefined) for (const name of bearers) page.preauthorizeApiKey(name, token);
    },
  });`,
  },
  scalar: {
    package: '@scalar/api-reference',
    scripts: ['dist/browser/standalone.js'],
    styles: [],
    policy: [],
    show: `
  ${BEARERS}
  const schemes = Object.fromEntries(bearers.map((name) => [name, { token }]));
  const authentication = token === undefined ? {} : { authentication: { preferredSecurityScheme: bearers[0], securitySchemes: schemes } };
  Scalar.createApiReference('#page', { content: spec, withDefaultFonts: false, telemetry: false, ...authentication });`,
  },
  redoc: {
    package: 'redoc',
    scripts: ['bundles/redoc.standalone.js'],
    styles: [],
    policy: ['worker-src blob:'],
    show: `
  Redoc.init(spec, { disableSearch: false }, document.querySelector('#page'));`,
  },
};
