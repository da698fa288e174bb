import { declareServiceOption, type DescribedSchema } from '@framework/core';

/** What a service's author says of one operation. Schemas are JSON Schema, TypeBox too. */
export interface OperationDocs {
  /** One line. Default: made of the method and the path. */
  readonly summary?: string;
  /** Text in CommonMark. Default: none. */
  readonly description?: string;
  /** Default: those of the service. */
  readonly tags?: readonly string[];
  /** Default: `false`. */
  readonly deprecated?: boolean;
  /** Name of the operation in generated clients. Default: made of the method and the path. */
  readonly operationId?: string;
  /** Properties of the query by name, beside those that are known. Default: none. */
  readonly query?: Readonly<Record<string, DescribedSchema | object>>;
  /** The body. Default: what the service declares. */
  readonly data?: DescribedSchema | object;
  /** The answer; `false` for none, which is 204. Default: what the service declares. */
  readonly result?: DescribedSchema | object;
  /** A body that the server takes. Default: made of the schema. */
  readonly example?: unknown;
  /** Statuses of errors, beside those that are known. Default: none. */
  readonly errors?: readonly number[];
}

/** The option `docs` of `app.use`: what a service's author says of it. */
export interface ServiceDocs {
  /** One line about the service. Default: none. */
  readonly summary?: string;
  /** Text in CommonMark. Default: none. */
  readonly description?: string;
  /** Groups in which pages show the operations. Default: the path of the service. */
  readonly tags?: readonly string[];
  /** By the name of the method; `false` leaves an operation out. */
  readonly operations?: Readonly<Record<string, OperationDocs | false>>;
}

declare module '@framework/core' {
  interface ServiceOptions {
    /** What the OpenAPI document says of the service; `false` leaves it out. Default: what the service declares. */
    docs?: ServiceDocs | false;
  }
}

declareServiceOption('docs');

/** What a value is, for messages, and whether one is that. */
type Kind = readonly [expected: string, check: (value: unknown) => boolean];

const TEXT: Kind = ['a text', isText];
const TEXTS: Kind = ['a list of texts', (value) => Array.isArray(value) && value.every(isText)];
const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
const SCHEMA: Kind = ['a schema', (value) => typeof value === 'boolean' || isObject(value)];
const ANYTHING: Kind = ['any value', () => true];
const STATUSES: Kind = [
  'a list of statuses from 400 to 599',
  (value) => Array.isArray(value) && value.every((status) => Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599),
];

const SERVICE_KEYS: Readonly<Record<keyof ServiceDocs, Kind>> = {
  summary: TEXT,
  description: TEXT,
  tags: TEXTS,
  operations: ['an object of operations by the names of methods', isObject],
};
const OPERATION_KEYS: Readonly<Record<keyof OperationDocs, Kind>> = {
  summary: TEXT,
  description: TEXT,
  tags: TEXTS,
  deprecated: FLAG,
  operationId: TEXT,
  query: ['an object', isObject],
  data: SCHEMA,
  result: SCHEMA,
  example: ANYTHING,
  errors: STATUSES,
};

/**
 * Checks what a service's author says.
 *
 * @param path path of the service
 * @param docs the option `docs`
 * @param methods names of the methods that transports may call
 * @returns what is said; `false` for a service that is left out
 * @throws Error for a name that is not known, a value that can not be meant, and an operation that there is not
 */
export function checkedDocs(path: string, docs: unknown, methods: readonly string[]): ServiceDocs | false {
  if (docs === undefined) return {};
  if (docs === false) return false;
  const at = `The option 'docs' of '${path}'`;
  if (!isObject(docs)) throw new Error(`${at} has to be false or an object with ${Object.keys(SERVICE_KEYS).join(', ')}`);
  checkKeys(docs, SERVICE_KEYS, at);
  const { operations } = docs as ServiceDocs;
  for (const [name, operation] of Object.entries(operations ?? {})) {
    if (!methods.includes(name))
      throw new Error(
        `${at} describes the operation '${name}', which there is not. Transports may call ${methods.join(', ') || 'no method'}`,
      );
    if (operation === false) continue;
    if (!isObject(operation)) throw new Error(`${at} has to have false or an object for '${name}'`);
    checkKeys(operation, OPERATION_KEYS, `${at}, operation '${name}',`);
  }
  return docs;
}

function checkKeys(given: object, keys: Readonly<Record<string, Kind>>, at: string): void {
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (!kind) throw new Error(`${at} has no '${name}'. It has ${Object.keys(keys).join(', ')}`);
    const [expected, check] = kind;
    if (value !== undefined && !check(value)) throw new Error(`${at} takes ${expected} for '${name}'`);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
