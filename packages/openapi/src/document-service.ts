import { createHash } from 'node:crypto';
import { describesItself, getServiceOptions, inspectHooks, type HookContext, type ServiceDescription } from '@framework/core';
import type { DescribedApplication } from './document/described-service.ts';
import type { OpenApiDocument } from './document/types.ts';
import { writeDocument } from './document/write-document.ts';
import type { OpenApiSettings } from './openapi-options.ts';
import { checkedDocs } from './service-docs.ts';

/** Key of the settings of a service that gives the document. */
export const DOCUMENT_SETTINGS: unique symbol = Symbol.for('@framework/openapi-settings');

/** A document, as JSON, with what tells whether it is still right. */
interface Written {
  readonly text: string;
  readonly tag: string;
  readonly made: readonly unknown[];
}

/** Gives the OpenAPI document of its application. It is written when it is first asked for, and again after services or hooks have come or gone. */
export class DocumentService {
  static {
    Object.defineProperty(DocumentService.prototype, describesItself, { value: (): ServiceDescription => DESCRIPTION, configurable: true });
  }

  readonly #settings: OpenApiSettings;
  readonly #app: DescribedApplication;
  #written: Written | undefined;
  #started = false;

  constructor(app: DescribedApplication, settings: OpenApiSettings) {
    this.#app = app;
    this.#settings = settings;
    Object.defineProperty(this, DOCUMENT_SETTINGS, { value: settings });
  }

  /** @returns the document: another one for each call, whose hooks may change it */
  async find(): Promise<OpenApiDocument> {
    return Promise.resolve(JSON.parse(this.#current.text) as OpenApiDocument);
  }

  /**
   * Checks what the authors of services say in their option `docs`, and lets clients ask whether the document has changed.
   *
   * @throws Error for what can not be meant
   */
  setup(app: { service(path: string): object }, path: string): void {
    for (const [location, service] of Object.entries(this.#app.services) as [string, object][]) this.#check(location, service);
    if (this.#started) return;
    this.#started = true;
    const tagged = (context: HookContext): void => {
      context.http.headers = { 'Cache-Control': 'no-cache', ...context.http.headers, ETag: this.#current.tag };
    };
    const service = app.service(path) as { hooks(map: object): unknown };
    service.hooks({ after: { find: [tagged] } });
  }

  /** Checks a service that comes when the application is set up. */
  added(path: string, docs: unknown, methods: readonly string[]): void {
    if (this.#started) checkedDocs(path, docs, methods);
  }

  #check(path: string, service: object): void {
    const { docs, methods = [] } = getServiceOptions(service) ?? {};
    checkedDocs(path, docs, methods);
  }

  get #current(): Written {
    const made = whatMatters(this.#app);
    const known = this.#written;
    if (known?.made.length === made.length && made.every((part, at) => part === known.made[at])) return known;
    const text = JSON.stringify(writeDocument(this.#app, this.#settings));
    const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    return (this.#written = { text, tag, made });
  }
}

const DESCRIPTION: ServiceDescription = {
  text: 'The description of this API.',
  methods: {
    find: {
      summary: 'The description of this API',
      result: {
        type: 'object',
        properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' }, components: { type: 'object' } },
        required: ['openapi', 'info', 'paths'],
      },
    },
  },
};

/** Services, and how many hooks their methods have: hooks are only ever added. */
function whatMatters({ services }: DescribedApplication): unknown[] {
  return (Object.entries(services) as [string, object][]).flatMap(([path, service]) => {
    const { methods = [] } = getServiceOptions(service) ?? {};
    return [path, service, methods.reduce((count, method) => count + inspectHooks(service, method).length, 0)];
  });
}
