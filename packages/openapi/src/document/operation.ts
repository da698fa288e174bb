import { inspectHooks, type DescribedSchema, type HookDescription, type QueryDescription, type RecordDescription } from '@framework/core';
import { exampleOf, UNKNOWN } from '../examples/example.ts';
import { Bodies, type Missing } from './bodies.ts';
import type { DescribedCall } from './calls.ts';
import type { Components } from './components.ts';
import { docsOfMethod, ownMethod, type DescribedService } from './described-service.ts';
import { isErrorStatus } from './errors.ts';
import { exampleOfAuthor } from './example-of-author.ts';
import { capital, placeholdersOf, wordOf } from './names.ts';
import { queryParameters } from './parameters.ts';
import { operationQuery, type QueryUse } from './query.ts';
import type { Security, SecurityFinder } from './security.ts';
import type { MediaTypeObject, OpenApiVersion, OperationObject, ParameterObject, ResponseObject } from './types.ts';

/** What operations are written with. */
export interface OperationSettings {
  readonly components: Components;
  readonly security: SecurityFinder;
  readonly version: OpenApiVersion;
  /** Told, in the words of a sentence that begins with the service, of what is not declared. */
  readonly warn: (path: string, message: string) => void;
}

const TAGGED: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch']);
const WRITES: ReadonlySet<string> = new Set(['update', 'patch', 'remove']);
const WITH_DATA: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
const ETAG = { ETag: answerHeader('The version of the record.') } as const;

/** Writes the operations of one service. */
export class OperationWriter {
  readonly #service: DescribedService;
  readonly #settings: OperationSettings;
  readonly #bodies: Bodies;
  /** Warns, once of the same. */
  readonly #tell: (message: string) => void;

  constructor(service: DescribedService, settings: OperationSettings) {
    this.#service = service;
    this.#settings = settings;
    const told = new Set<string>();
    this.#tell = (message) => {
      if (!told.has(message)) settings.warn(service.path, message);
      told.add(message);
    };
    const missing: Missing = (method, what) => {
      this.#tell(WORDS[what]?.(method) ?? `declares no ${what} of '${method}'`);
    };
    this.#bodies = new Bodies(service, settings.components, missing);
  }

  /** Writes the operation of a call. */
  write(call: DescribedCall): OperationObject {
    const { path, docs } = this.#service;
    const said = docsOfMethod(this.#service, call.method) || {};
    const self = ownMethod(this.#service, call.method);
    const security = this.#settings.security.of(path, this.#service.service, call.method, self?.strategies);
    if (security.kind === 'unknown') this.#settings.warn(path, `, method '${call.method}', ${security.reason}`);
    const description = [
      said.description ?? self?.description,
      JOINS[this.#joins(call)],
      security.kind === 'unknown' ? UNKNOWN_SECURITY : undefined,
    ];
    const text = description.filter((part) => part !== undefined).join('\n\n');
    const parameters = this.#parameters(call);
    const data = takesData(call) ? this.#body(call) : undefined;
    return {
      operationId: said.operationId ?? this.#operationId(call),
      summary: said.summary ?? self?.summary ?? summary(call, path),
      ...(text === '' ? {} : { description: text }),
      tags: said.tags ?? docs.tags ?? [path],
      ...(said.deprecated === true ? { deprecated: true } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(data === undefined ? {} : { requestBody: data }),
      responses: { ...this.#success(call), ...this.#errors(call, security) },
      ...securityOf(security),
    };
  }

  #operationId({ method, many, id }: DescribedCall): string {
    const { path, collection } = this.#service;
    const isEither = collection === undefined && id !== undefined && ownMethod(this.#service, method)?.ids === 'either';
    return `${method}${many ? 'Many' : ''}${wordOf(path)}${isEither ? 'ById' : ''}`;
  }

  #joins(call: DescribedCall): 'none' | 'text' {
    const isQueried = call.method === 'find' || call.many;
    return this.#settings.version === '3.1' && isQueried && Object.keys(this.#service.records?.query.properties ?? {}).length > 0
      ? 'text'
      : 'none';
  }

  #parameters(call: DescribedCall): ParameterObject[] {
    const { path, records, collection, name, conditional } = this.#service;
    const { components, version } = this.#settings;
    const inPath = [...new Set(placeholdersOf(path)), ...(call.id === undefined ? [] : [call.id])].map((placeholder) => {
      const schema = placeholder === call.id ? this.#idSchema() : (this.#service.own.placeholders?.[placeholder] ?? { type: 'string' });
      return { name: placeholder, in: 'path' as const, required: true, schema };
    });
    const known = records && this.#writtenQuery(records);
    const use = useOf(call);
    const { query: more } = docsOfMethod(this.#service, call.method) || {};
    const own = Object.entries({ ...ownMethod(this.#service, call.method)?.query, ...more }).map(
      ([property, schema]) => [property, this.#bodies.ofAuthor(schema, false)] as const,
    );
    const parts = use === undefined ? undefined : operationQuery({ query: known, collection }, use);
    const query = queryParameters(parts, Object.fromEntries(own), version, components, name);
    // A hook may stand there twice, around the application and around the service: its headers are the same.
    const ofHooks = this.#added(call).flatMap(({ headers = {} }) => Object.entries(headers));
    const headers = [...this.#headers(call, conditional), ...ofHooks.map(([header, description]) => headerOf(header, description))];
    return [...inPath, ...query, ...new Map(headers.map((one) => [one.name.toLowerCase(), one])).values()];
  }

  /** Ids that are numbers are said to be, so that generated clients take them. */
  #idSchema(): DescribedSchema {
    const { records, own } = this.#service;
    const name: unknown = own.collection?.id ?? Reflect.get(this.#service.service, 'id') ?? 'id';
    const schema = records?.query.properties[String(name)];
    const type = typeof schema === 'object' ? schema.type : undefined;
    return schema !== undefined && (type === 'integer' || type === 'number' || type === 'string')
      ? this.#settings.components.written(schema, records?.definitions)
      : { type: 'string', minLength: 1 };
  }

  #writtenQuery({ query, definitions }: RecordDescription): QueryDescription {
    const { components } = this.#settings;
    const written = (schemas: Readonly<Record<string, DescribedSchema>>): Record<string, DescribedSchema> =>
      Object.fromEntries(Object.entries(schemas).map(([property, schema]) => [property, components.written(schema, definitions)]));
    const operators = Object.entries(query.operators).map(([property, schemas]) => [property, written(schemas)] as const);
    return { ...query, properties: written(query.properties), filters: written(query.filters), operators: Object.fromEntries(operators) };
  }

  #headers(call: DescribedCall, conditional: boolean | 'required'): ParameterObject[] {
    if (call.byHeader) {
      return [{ name: 'X-Service-Method', in: 'header', required: true, description: 'The method.', schema: { const: call.method } }];
    }
    if (!conditional || call.id === undefined) return [];
    if (call.method === 'get')
      return [headerOf('If-None-Match', 'The `ETag` that the client has: the answer is 304 when it is the present one.')];
    if (!WRITES.has(call.method)) return [];
    return [
      headerOf('If-Match', 'The `ETag` of the version that is to be changed: the answer is 412 for another.', conditional === 'required'),
    ];
  }

  /** What the hooks of a method say that they add. */
  #added({ method }: DescribedCall): HookDescription[] {
    return inspectHooks(this.#service.service, method).flatMap(({ description }) => description ?? []);
  }

  #body(call: DescribedCall): NonNullable<OperationObject['requestBody']> {
    const { components } = this.#settings;
    const schema = this.#bodies.data(call.method);
    const several = call.method === 'create' && this.#bodies.takesSeveral('create');
    const whole: DescribedSchema = schema === undefined ? {} : several ? { anyOf: [schema, { type: 'array', items: schema }] } : schema;
    const example = exampleOfAuthor(this.#service, call.method, this.#tell);
    const made = example ?? (schema === undefined || schema === true ? UNKNOWN : exampleOf(schema, components.schemas));
    const content: MediaTypeObject = { schema: whole, ...(made === UNKNOWN ? {} : { example: made }) };
    return {
      required: schema !== undefined,
      content: { [ownMethod(this.#service, call.method)?.dataType ?? 'application/json']: content },
    };
  }

  #success(call: DescribedCall): Record<string, ResponseObject> {
    const { conditional } = this.#service;
    const own = ownMethod(this.#service, call.method);
    const schema = this.#bodies.result(call);
    if (own?.redirects === 'always') return { 303: redirect(schema) };
    if (schema === false) return { 204: { description: 'Done; there is nothing to tell.' } };
    const type = own?.type ?? 'application/json';
    const tagged = conditional !== false && TAGGED.has(call.method) && !call.many;
    const located = call.method === 'create' && (this.#service.collection !== undefined || this.#service.records !== undefined);
    const headers = {
      ...(tagged ? ETAG : {}),
      ...(located ? { Location: answerHeader('The path of the new record, where it is one.') } : {}),
      ...Object.fromEntries(
        this.#added(call).flatMap(({ answerHeaders = {} }) =>
          Object.entries(answerHeaders).map(([name, description]) => [name, answerHeader(description)] as const),
        ),
      ),
    };
    const answer: ResponseObject = {
      description: SUCCESS[call.method] ?? 'What the method gives.',
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: { [type]: { schema: schema ?? {} } },
    };
    return {
      [own?.status ?? (call.method === 'create' ? 201 : 200)]: answer,
      ...(own?.redirects === 'sometimes' ? { 303: redirect(undefined) } : {}),
      ...(schema === undefined ? { 204: { description: 'Done; there is nothing to tell.' } } : {}),
      ...(tagged && call.method === 'get' ? { 304: { description: 'The client has the present version.', headers: ETAG } } : {}),
    };
  }

  #errors(call: DescribedCall, security: Security): OperationObject['responses'] {
    const { components } = this.#settings;
    const { collection, conditional } = this.#service;
    const isWrite = WRITES.has(call.method);
    const statuses = new Set<number>([400, 405, 406]);
    const add = (applies: boolean, ...more: readonly number[]): void => {
      if (applies) for (const status of more) statuses.add(status);
    };
    add(security.kind !== 'none', 401, 403);
    add(call.id !== undefined, 404);
    add(collection !== undefined && WITH_DATA.has(call.method), 409);
    add(takesData(call), 413, 415);
    add(conditional !== false && (isWrite || call.id !== undefined), 412);
    add(conditional === 'required' && isWrite, 428);
    add(true, ...this.#added(call).flatMap(({ errors = [] }) => errors));
    add(true, ...(ownMethod(this.#service, call.method)?.errors ?? []), ...((docsOfMethod(this.#service, call.method) || {}).errors ?? []));
    const answers = [...statuses]
      .sort((one, other) => one - other)
      .map((status) => [status, components.error(isErrorStatus(status) ? status : 'default')] as const);
    return { ...Object.fromEntries(answers), default: components.error('default') };
  }
}

/** @param schema of a body that comes along, if one does */
function redirect(schema: DescribedSchema | undefined): ResponseObject {
  return {
    description: 'The browser is sent elsewhere.',
    headers: { Location: { description: 'Where it goes.', required: true, schema: { type: 'string' } } },
    ...(schema === undefined || schema === false ? {} : { content: { 'application/json': { schema } } }),
  };
}

const WORDS: Readonly<Record<string, (method: string) => string>> = {
  data: (method) =>
    `declares no data of '${method}': register it with a schema, or say it in its option 'docs' as operations.${method}.data`,
  result: (method) =>
    `declares no result of '${method}': register it with a schema, or say it in its option 'docs' as operations.${method}.result`,
  records: () => "declares no schema, so that its records are described as any object: register it with the option 'schema'",
  pages: () => "does not say whether find gives pages: say it in its option 'docs' as operations.find.result",
};

const JOINS = {
  none: undefined,
  text: 'Conditions are joined by and. `$or` and `$and` take lists of conditions: `$or[0][name]=a&$or[1][name]=b`.',
} as const;
const UNKNOWN_SECURITY = 'The server decides who may call this.';

const SUCCESS: Readonly<Record<string, string>> = {
  find: 'The records that match.',
  get: 'The record.',
  create: 'What was created.',
  update: 'The record as it is now.',
  patch: 'What was changed, as it is now.',
  remove: 'What was removed.',
};

function takesData({ method, httpMethod }: DescribedCall): boolean {
  return WITH_DATA.has(method) || (httpMethod === 'post' && method !== 'create');
}

function useOf({ method, many }: DescribedCall): QueryUse | undefined {
  if (method === 'find') return 'find';
  if (many) return 'many';
  if (method === 'create') return 'create';
  return method === 'get' || WRITES.has(method) ? 'one' : undefined;
}

const VERBS: Readonly<Record<string, string>> = {
  find: 'List',
  get: 'Read one of',
  create: 'Add to',
  update: 'Replace one of',
  patch: 'Change one of',
  remove: 'Remove one of',
};

function summary({ method, many }: DescribedCall, path: string): string {
  const verb = VERBS[method];
  if (verb === undefined) return `${capital(method)}: ${path}`;
  return `${many ? verb.replace('one of', 'all that match of') : verb} ${path}`;
}

function securityOf(security: Security): Pick<OperationObject, 'security'> {
  if (security.kind === 'unknown') return {};
  return { security: security.kind === 'none' ? [] : security.schemes.map((name) => ({ [name]: [] })) };
}

function headerOf(name: string, description: string, required = false): ParameterObject {
  return { name, in: 'header', description, ...(required ? { required } : {}), schema: { type: 'string' } };
}

function answerHeader(description: string): NonNullable<ResponseObject['headers']>[string] {
  return { description, schema: { type: 'string' } };
}
