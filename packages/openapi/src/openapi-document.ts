import { isApplication, nestedApplications } from '@framework/core';
import { inside } from './document/reach.ts';
import { writeDocument } from './document/write-document.ts';
import type { DescribedApplication } from './document/described-service.ts';
import type { OpenApiDocument } from './document/types.ts';
import { DOCUMENT_SETTINGS } from './document-service.ts';
import { openApiSettings, type DocumentOptions, type OpenApiSettings } from './openapi-options.ts';

/**
 * The OpenAPI document of an application: of all services whose methods transports may call. No server is needed. The same application gives the same
 * document.
 *
 * @param app an application after its `setup`: what is registered and kept secret there is seen only then
 * @param options what it is made with; what is not named is taken from `openapi()`, where the application is configured with it
 * @throws TypeError when it is no application, or for an option that can not be meant
 * @throws Error for an option `docs` of a service that can not be meant
 * @see security S7
 */
export async function openapiDocument(app: object, options: DocumentOptions = {}): Promise<OpenApiDocument> {
  if (!isDescribed(app)) throw new TypeError('openapiDocument(app) needs an application, as framework() or express(framework()) makes it');
  const configured = configuredSettings(app);
  const { info, servers, version, viewer, onWarning } = openApiSettings({ ...configured, ...options });
  return writeDocument(app, { info, servers, version, viewer, onWarning });
}

/** What mounted applications are configured with is theirs: their documents may be for others. */
function configuredSettings(app: DescribedApplication): DocumentOptions {
  const nested = nestedApplications(app).flatMap((one) =>
    'services' in one.app ? [{ ...one, services: Object(one.app.services) as object }] : [],
  );
  const isOwn = (path: string): boolean =>
    !nested.some((one) => {
      const own = inside(one.path, path);
      return own !== undefined && Object.hasOwn(one.services, own || '/');
    });
  for (const [path, service] of Object.entries(app.services) as (readonly [string, object])[]) {
    const settings = Reflect.get(service, DOCUMENT_SETTINGS) as OpenApiSettings | undefined;
    if (settings && isOwn(path)) {
      const { info, servers, version, viewer, onWarning } = settings;
      return { info, ...(servers ? { servers } : {}), version, viewer, onWarning };
    }
  }
  return {};
}

function isDescribed(app: unknown): app is DescribedApplication {
  if (isApplication(app)) return true;
  const services: unknown =
    (typeof app === 'object' || typeof app === 'function') && app !== null ? Reflect.get(app, 'services') : undefined;
  return typeof services === 'object' && services !== null;
}
