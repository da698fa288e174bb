import {
  defaultServiceMethods,
  describeService,
  getServiceOptions,
  inspectHooks,
  keepsPaths,
  stripSlashes,
  type CollectionDescription,
  type MethodDescription,
  type RecordDescription,
  type ServiceDescription,
} from '@framework/core';
import { checkedDocs, type OperationDocs, type ServiceDocs } from '../service-docs.ts';
import { capital, wordOf } from './names.ts';

/** A service that a document describes, with all that is known of it. */
export interface DescribedService {
  readonly path: string;
  readonly service: object;
  /** Names of the methods that transports may call, in a fixed order. */
  readonly methods: readonly string[];
  readonly docs: ServiceDocs;
  /** Parameters of a call, for whom the document is. */
  readonly viewer: object;
  /** What it says of itself. */
  readonly own: ServiceDescription;
  readonly collection: CollectionDescription | undefined;
  readonly records: RecordDescription | undefined;
  /** Whether single records have an `ETag`, and writes may need it. */
  readonly conditional: boolean | 'required';
  /** Begins the names of its components. */
  readonly name: string;
}

/** An application, as far as a document reads it. */
export interface DescribedApplication {
  /** Its services by path, those of mounted applications too. */
  readonly services: object;
  get?(name: string): unknown;
  lookup?(path: string): { readonly path: string; readonly params: Readonly<Record<string, string>> } | null;
}

/**
 * The services of an application that a document describes: those that transports may call and whose author does not leave them out.
 *
 * @param viewer parameters of a call, for whom the document is
 * @throws Error for `docs` that can not be meant
 */
export function describedServices(app: DescribedApplication, viewer: object): DescribedService[] {
  const services = Object.entries(app.services).filter(
    (entry): entry is [string, object] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  const shown = services.filter(([path, service]) => isShown(path, service));
  const withRecords = new Set(shown.filter(([, service]) => openMethods(service).includes('find')).map(([path]) => path));
  return shown
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, service]) => describedService(path, service, viewer, (other) => withRecords.has(stripSlashes(other) || '/')));
}

function isShown(path: string, service: object): boolean {
  return openMethods(service).length > 0 && docsOf(path, service) !== false;
}

/** The methods that transports may call, but for those that hooks keep for the server. */
function openMethods(service: object): string[] {
  const { methods = [] } = getServiceOptions(service) ?? {};
  return methods.filter((method) => !inspectHooks(service, method).some(({ description }) => description?.serverOnly === true));
}

function docsOf(path: string, service: object): ServiceDocs | false {
  const { docs, methods = [] } = getServiceOptions(service) ?? {};
  return checkedDocs(path, docs, methods);
}

function describedService(path: string, service: object, viewer: object, exposed: (path: string) => boolean): DescribedService {
  const { schema, ...options } = getServiceOptions(service) ?? {};
  const methods = openMethods(service);
  const own = describeService(service) ?? {};
  const records = schema?.describe?.({ params: viewer }, exposed, Reflect.get(service, keepsPaths) === true);
  const conditional: unknown = Reflect.get(options, 'conditional');
  const custom = methods.filter((name) => !defaultServiceMethods.includes(name));
  return {
    path,
    service,
    methods: [...defaultServiceMethods.filter((name) => methods.includes(name)), ...custom],
    docs: docsOf(path, service) || {},
    viewer,
    own,
    collection: own.collection,
    records,
    conditional: conditional === true || conditional === 'required' ? conditional : false,
    name: records?.name === undefined ? wordOf(path) : capital(records.name.replace(/^.*[/#]/, '')) || wordOf(path),
  };
}

/** What the author of a service says of a method; `false` for one that is left out. */
export function docsOfMethod({ docs }: DescribedService, method: string): OperationDocs | false {
  const { operations = {} } = docs;
  return Object.hasOwn(operations, method) ? (operations[method] ?? {}) : {};
}

/** What a service says of a method of its own. */
export function ownMethod({ own }: DescribedService, method: string): MethodDescription | undefined {
  const { methods = {} } = own;
  return Object.hasOwn(methods, method) ? methods[method] : undefined;
}
