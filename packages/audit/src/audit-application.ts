import {
  describeService,
  getRules,
  getServiceOptions,
  inspectGuards,
  inspectHooks,
  inspectPublishers,
  nearestBeside,
  NOBODY,
  type InspectedHook,
  type InspectedPublisher,
} from '@framework/core';

/** An application, as far as the audit reads it. */
export interface AuditedApplication {
  /** Its services by path, those of mounted applications too. */
  readonly services: object;
}

/** What stands around one method; each hook by the name of its function. */
export interface MethodAudit {
  /** Hooks that `guard` has marked, as `authenticate` is: they decide whether a call may go on. In their order. */
  readonly guards: readonly string[];
  /** Other hooks that run before the method or around it, in their order. */
  readonly hooks: readonly string[];
  /** Hooks that run after the method, in their order: they may leave something out of what is sent. */
  readonly after: readonly string[];
  /** Hooks that run where the method or another hook has failed, in their order: they may leave something out of errors. Absent where there are none. */
  readonly errors?: readonly string[];
}

/** What one service shows to callers from outside. */
export interface ServiceAudit {
  /** Methods that transports may call. */
  readonly methods: Readonly<Record<string, MethodAudit>>;
  /** Whether a schema checks queries and data. */
  readonly schema: boolean;
  /** Dotted paths of what a caller of whom nothing is known can not read, whoever keeps it: schema, adapter, strategies. */
  readonly hidden: readonly string[];
  /** Dotted paths of what such a caller can not set: what is read-only, and what is hidden. */
  readonly notSet: readonly string[];
  /** Methods that change several records at once; `true` stands for all. */
  readonly multi: boolean | readonly string[];
  /** Largest page of `find`; `null` where nothing limits it, or the service does not say. */
  readonly largestPage: number | null;
  /**
   * What the options of its adapter let callers send and ask for besides the common queries, as `updateOperators: $inc`: `filters`, `operators`, `paths` and
   * `updateOperators`. Absent where that is nothing.
   */
  readonly opened?: readonly string[];
  /**
   * Events that somebody outside may get, each with the name of the function that decides who: `created: toOwner`, and `created: toAll of the application` for a
   * publisher of `app.publish`. Absent where nobody gets any.
   */
  readonly events?: readonly string[];
}

/** Options of adapters that open more of the database. */
const OPENING = ['filters', 'operators', 'paths', 'updateOperators'] as const;

/** The services of an application by path. */
export type Audit = Readonly<Record<string, ServiceAudit>>;

/**
 * Reads what callers from outside may do with each service of an application. Nothing is called or changed.
 *
 * @param app an application after its `setup`: what is registered and kept secret there is seen only then
 * @throws TypeError when it is no application
 * @see security S50
 */
export function auditApplication(app: AuditedApplication): Audit {
  const services: unknown = app?.services;
  if (typeof services !== 'object' || services === null) {
    throw new TypeError('auditApplication(app) needs an application, as framework() or express(framework()) makes it');
  }
  const all = new Map(
    Object.entries(services).filter((entry): entry is [string, object] => typeof entry[1] === 'object' && entry[1] !== null),
  );
  const usual = [...all].filter(([, service]) => describeService(service)?.isDefault === true).map(([path]) => path);
  return Object.fromEntries(
    [...all.keys()].sort().map((path) => [path, auditService(app, all.get(path) ?? {}, nearestBeside(usual, path))]),
  );
}

/** @param usual path of the authentication service that is asked where a guard names none */
function auditService(app: object, service: object, usual: string | undefined): ServiceAudit {
  const { methods = [], schema } = getServiceOptions(service) ?? {};
  // Adapters of the incumbent declare nothing, and keep their options where ours do.
  const given = objectOf(Reflect.get(service, 'options'));
  const options = objectOf(describeService(service)?.collection ?? given);
  const opened = OPENING.flatMap((name) =>
    texts(given[name])
      .sort()
      .map((each) => `${name}: ${each}`),
  );
  const { max } = objectOf(options.paginate);
  const events = inspectPublishers(app, service).map(publisherText).sort();
  const rules = getRules(service);
  return {
    methods: Object.fromEntries([...methods].sort().map((method) => [method, auditMethod(service, method, usual)])),
    schema: schema !== undefined,
    hidden: rules?.unseenBy(NOBODY) ?? [],
    notSet: rules?.unsetBy(NOBODY) ?? [],
    multi: typeof options.multi === 'boolean' ? options.multi : texts(options.multi).length > 0 ? texts(options.multi).sort() : false,
    largestPage: typeof max === 'number' ? max : null,
    ...(opened.length === 0 ? {} : { opened }),
    ...(events.length === 0 ? {} : { events }),
  };
}

function auditMethod(service: object, method: string, usual: string | undefined): MethodAudit {
  // What says itself that it asks callers of this method for nothing keeps nobody out of it.
  const guards = inspectGuards(service, method).filter(({ credentials }) => credentials !== null);
  const all = inspectHooks(service, method);
  const deciding = new Set(guards.map(({ hook }) => hook));
  const errors = names(all.filter(({ type }) => type === 'error'));
  return {
    guards: guards.map((guard) => guardName(guard, usual)),
    hooks: names(all.filter(({ type, hook }) => (type === 'around' || type === 'before') && !deciding.has(hook))),
    after: names(all.filter(({ type }) => type === 'after')),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

function names(hooks: readonly InspectedHook[]): string[] {
  return hooks.map(nameOf);
}

function publisherText(publisher: InspectedPublisher): string {
  return `${publisher.event}: ${nameOf(publisher)}${publisher.level === 'application' ? ' of the application' : ''}`;
}

function nameOf({ name }: Pick<InspectedHook, 'name'>): string {
  return name === '' ? '(no name)' : name;
}

/** Who may log in at one authentication service may be nobody at another. */
function guardName(guard: InspectedHook, usual = ''): string {
  const asked = guard.credentials?.service;
  const isUsual = asked === undefined || usual === asked || usual.endsWith(`/${asked}`);
  return isUsual ? nameOf(guard) : `${nameOf(guard)} of ${asked}`;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
