import { getServiceOptions, inspectHooks } from '@framework/core';

/** An application, as far as the audit reads it. */
export interface AuditedApplication {
  /** Its services, by path. */
  readonly services: object;
}

/** What one service shows to callers from outside. */
export interface ServiceAudit {
  /** Methods that transports may call, each with the names of the hooks that run before it, in their order. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
  /** Whether a schema checks queries and data. */
  readonly schema: boolean;
  /** Dotted paths of properties that never leave the server. */
  readonly hidden: readonly string[];
  /** Methods that change several records at once; `true` stands for all. */
  readonly multi: boolean | readonly string[];
  /** Largest page of `find`; `null` where nothing limits it, or the service does not say. */
  readonly largestPage: number | null;
}

/** The services of an application by path. */
export type Audit = Readonly<Record<string, ServiceAudit>>;

interface Schema {
  readonly hidden?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Reads what callers from outside may do with each service of an application. Nothing is called, set up or connected.
 *
 * @param app an application with its services registered
 * @throws TypeError when it is no application
 * @see security S50
 */
export function auditApplication(app: AuditedApplication): Audit {
  const services: unknown = app?.services;
  if (typeof services !== 'object' || services === null) {
    throw new TypeError('auditApplication(app) needs an application, as framework() or express(framework()) makes it');
  }
  const paths = Object.keys(services).sort();
  return Object.fromEntries(paths.map((path) => [path, auditService(Reflect.get(services, path) as object)]));
}

function auditService(service: object): ServiceAudit {
  const { methods = [], schema } = getServiceOptions(service) ?? {};
  const guards = (method: string): string[] =>
    inspectHooks(service, method)
      .filter(({ type }) => type === 'around' || type === 'before')
      .map(({ name }) => (name === '' ? '(no name)' : name));
  const options = objectOf(Reflect.get(service, 'options'));
  const { max } = objectOf(options.paginate);
  const record = objectOf(schema).record as Schema | undefined;
  return {
    methods: Object.fromEntries([...methods].sort().map((method) => [method, guards(method)])),
    schema: schema !== undefined,
    hidden: [...new Set([...hiddenIn(record ?? {}), ...texts(options.hidden)])].sort(),
    multi: typeof options.multi === 'boolean' ? options.multi : texts(options.multi).length > 0 ? texts(options.multi).sort() : false,
    largestPage: typeof max === 'number' ? max : null,
  };
}

function hiddenIn(schema: Schema, prefix = '', depth = 0): string[] {
  if (depth > 20) return [];
  const items = schema.items ? hiddenIn(schema.items, prefix, depth + 1) : [];
  return Object.entries(schema.properties ?? {}).reduce<string[]>(
    (found, [name, property]) =>
      property.hidden === true ? [...found, prefix + name] : [...found, ...hiddenIn(property, `${prefix}${name}.`, depth + 1)],
    items,
  );
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
