import { isApplication } from '@framework/core';
import type { DescribedApplication } from './document/described-service.ts';
import { DocumentService } from './document-service.ts';
import { openApiSettings, type OpenApiOptions } from './openapi-options.ts';
import { pageHandler, type PageHandler } from './page/page-handler.ts';

/** An application, as far as the document is put into it. */
interface ConfiguredApplication extends DescribedApplication {
  readonly mixins: ((service: object, path: string, options: { readonly docs?: unknown; readonly methods?: readonly string[] }) => void)[];
  use(path: string, service: object, options: object): unknown;
}

/**
 * Puts the OpenAPI document of an application into it, as a service: `app.configure(openapi({ info }))`, then `GET /openapi.json`. Hooks of the application
 * run around it as around any service.
 *
 * @param options title and version of the API, path, version of OpenAPI, and a page that shows the document
 * @returns to be given to `app.configure`
 * @throws TypeError for options that can not be meant
 * @throws Error from `configure` for a path that is taken, and for a page whose package is not installed; from `setup` for an option `docs` of a service that can
 *   not be meant
 * @see security S7
 */
export function openapi(options: OpenApiOptions = {}): (app: object) => void {
  const settings = openApiSettings(options);
  return (app) => {
    if (!isConfigured(app))
      throw new TypeError('openapi() is configured on an application, as framework() or express(framework()) makes it');
    const page = pageOf(app, settings.ui !== undefined && isOn(settings.ui.production) ? pageHandler(settings) : undefined);
    const service = new DocumentService(app, settings);
    app.use(settings.path, service, { methods: ['find'], ...(page ? { express: { before: [page] } } : {}) });
    app.mixins.push((_service, path, { docs, methods = [] }) => {
      service.added(path, docs, methods);
    });
  };
}

function isOn(production: boolean): boolean {
  return production || process.env.NODE_ENV !== 'production';
}

function pageOf(app: object, page: PageHandler | undefined): PageHandler | undefined {
  if (page && !(typeof app === 'function' && 'route' in app))
    throw new Error("The option 'ui' of openapi() needs an Express compatible application: wrap it first with express(app)");
  return page;
}

function isConfigured(app: object): app is ConfiguredApplication {
  return isApplication(app) && 'use' in app && 'mixins' in app;
}
