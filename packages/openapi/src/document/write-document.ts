import type { OpenApiSettings } from '../openapi-options.ts';
import type { ServiceDocs } from '../service-docs.ts';
import { callsOf, type DescribedCall } from './calls.ts';
import { Components } from './components.ts';
import { describedServices, type DescribedApplication, type DescribedService } from './described-service.ts';
import { endpointOperation } from './endpoints.ts';
import { mergedOperations, type MethodOperation } from './merge-operations.ts';
import { templateOf } from './names.ts';
import { placeOf } from './place.ts';
import { Reach } from './reach.ts';
import { OperationWriter, type OperationSettings } from './operation.ts';
import { SecurityFinder } from './security.ts';
import type { HttpMethod, OpenApiDocument, OperationObject, PathItemObject } from './types.ts';

const VERSIONS = { '3.1': '3.1.1', '3.2': '3.2.0' } as const;
const METHODS: readonly HttpMethod[] = ['get', 'post', 'put', 'patch', 'delete'];

/** What a document is written with. */
export type DocumentSettings = Pick<OpenApiSettings, 'info' | 'servers' | 'version' | 'viewer' | 'onWarning'>;

/**
 * Writes the document of an application. The same application gives the same text.
 *
 * @throws Error for `docs` that can not be meant, also for two operations of one `operationId`
 */
export function writeDocument(app: DescribedApplication, settings: DocumentSettings): OpenApiDocument {
  const services = describedServices(app, settings.viewer);
  const components = new Components();
  for (const { path, name, records } of services) if (records) components.nameRecord(path, name);
  const warn: OperationSettings['warn'] = (path, message) => {
    settings.onWarning(`The service '${path}'${message.startsWith(',') ? '' : ' '}${message}`);
  };
  for (const { path, records } of services) {
    if (records) components.setRecord(path, records);
    for (const problem of records?.problems ?? []) warn(path, problem);
  }
  const security = new SecurityFinder(app, components);
  const paths = new Paths(services.flatMap(({ docs }) => authoredIds(docs)));
  const reach = new Reach(app);
  for (const service of services) {
    const writer = new OperationWriter(service, { components, security, version: settings.version, warn });
    for (const [call, operation] of operationsOf(reach, service, writer, warn)) paths.add(call.template, call.httpMethod, operation);
  }
  for (const endpoint of reach.endpoints)
    paths.add(templateOf(endpoint.path), endpoint.httpMethod, endpointOperation(endpoint, settings.version, components));
  const used = new Set(paths.operations().flatMap(({ tags = [] }) => tags));
  return {
    openapi: VERSIONS[settings.version],
    info: settings.info,
    servers: settings.servers ?? [{ url: placeOf(app) }],
    tags: [...used].sort().map((name) => tagOf(name, services)),
    paths: paths.written(),
    components: writtenComponents(components),
  };
}

function operationsOf(
  reach: Reach,
  service: DescribedService,
  writer: OperationWriter,
  warn: OperationSettings['warn'],
): (readonly [DescribedCall, OperationObject])[] {
  const groups = new Map<string, { readonly call: DescribedCall; readonly operations: MethodOperation[] }>();
  for (const call of callsOf(service, reach.hasMethodPaths(service))) {
    if (!reach.isReached(service, call)) {
      warn(service.path, `, method '${call.method}', is not reached: another service answers ${call.template}`);
      continue;
    }
    const key = `${call.httpMethod} ${call.template}`;
    const group = groups.get(key) ?? { call, operations: [] };
    groups.set(key, group);
    group.operations.push({ method: call.method, operation: writer.write(call), byHeader: call.byHeader });
  }
  return [...groups.values()].flatMap(({ call, operations }) => {
    const merged = mergedOperations(operations);
    return merged ? [[call, merged] as const] : [];
  });
}

function authoredIds({ operations = {} }: ServiceDocs): string[] {
  return Object.values(operations).flatMap((docs) => (docs === false || docs.operationId === undefined ? [] : [docs.operationId]));
}

/** The paths of a document. */
class Paths {
  readonly #items = new Map<string, Partial<Record<HttpMethod, OperationObject>>>();
  readonly #ids = new Set<string>();
  readonly #authored: ReadonlySet<string>;

  /** @param authored ids that authors have given */
  constructor(authored: readonly string[]) {
    const twice = authored.find((id, at) => authored.indexOf(id) !== at);
    if (twice !== undefined)
      throw new Error(`Two operations have the operationId '${twice}' in the option 'docs' of their services: each needs its own`);
    this.#authored = new Set(authored);
  }

  add(template: string, method: HttpMethod, operation: OperationObject): void {
    const { operationId: wanted } = operation;
    let operationId = wanted;
    // Paths that differ in signs alone make the same word.
    for (let count = 2; this.#ids.has(operationId) || (operationId !== wanted && this.#authored.has(operationId)); count++)
      operationId = `${wanted}${String(count)}`;
    this.#ids.add(operationId);
    this.#items.set(template, { ...this.#items.get(template), [method]: { ...operation, operationId } });
  }

  operations(): OperationObject[] {
    return [...this.#items.values()].flatMap((item) => Object.values(item));
  }

  written(): Record<string, PathItemObject> {
    const sorted = [...this.#items].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(
      sorted.map(([template, item]) => [
        template,
        Object.fromEntries(METHODS.flatMap((method) => (item[method] ? [[method, item[method]]] : []))),
      ]),
    );
  }
}

function tagOf(name: string, services: readonly DescribedService[]): { readonly name: string; readonly description?: string } {
  const about = services.filter(({ path, docs }) => (docs.tags ?? [path]).includes(name));
  const texts = about.flatMap(({ docs, own }) => [docs.summary, docs.description ?? (docs.summary === undefined ? own.text : undefined)]);
  const description = texts.filter((text) => text !== undefined).join('\n\n');
  return description === '' ? { name } : { name, description };
}

function writtenComponents({ schemas, responses, securitySchemes }: Components): OpenApiDocument['components'] {
  return {
    schemas: sorted(schemas),
    responses: sorted(responses),
    ...(Object.keys(securitySchemes).length > 0 ? { securitySchemes: sorted(securitySchemes) } : {}),
  };
}

function sorted<T>(parts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1)));
}
