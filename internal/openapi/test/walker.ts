import type { MediaTypeObject, OpenApiDocument, OperationObject, ParameterObject } from '@framework/openapi';
import { send, type Answer } from '@framework-internal/testing/http';
import { DocumentCheck, pointer } from './document-check.ts';

/** One request that the walker has sent. */
export interface Step {
  /** For example `GET /cities`. */
  readonly operation: string;
  /** What was tried. */
  readonly attempt: string;
  readonly status: number;
  /** What is not as the document says. */
  readonly problems: readonly string[];
}

/** What the walker does not find in the document. */
export interface Walk {
  readonly document: OpenApiDocument;
  readonly url: string;
  /** Headers with credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes what an operation needs, and gives the values of the placeholders of its path. */
  readonly arrange: (operation: OperationObject, template: string) => Promise<Readonly<Record<string, string>>>;
  /** A body in the place of the example, for operations whose example needs something that is there. */
  readonly body?: (operation: OperationObject, example: unknown) => unknown;
  /** Status of a login with data that can not be meant. Default: it is as for all others. */
  readonly logins?: readonly string[];
}

interface Operation {
  readonly template: string;
  readonly method: string;
  readonly operation: OperationObject;
}

const WRONG = { wrong: { type: [true] } };

/** Sends to each operation of a document what it says may be sent, and what it says may not. */
export class Walker {
  readonly steps: Step[] = [];
  readonly #walk: Walk;
  readonly #check: DocumentCheck;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#check = new DocumentCheck(walk.document);
  }

  /** Everything, operation by operation. */
  async all(): Promise<readonly Step[]> {
    for (const one of this.#operations()) {
      await this.#example(one);
      await this.#missingAndWrong(one);
      await this.#queries(one);
      await this.#withoutCredentials(one);
      await this.#otherForms(one);
      await this.#unknownRecord(one);
    }
    for (const [template, item] of Object.entries(this.#walk.document.paths)) {
      const path = template.replace(/\{[^}]*\}/g, '1');
      for (const method of ['post', 'put', 'patch', 'delete']) if (!(method in item)) await this.#undocumented(template, path, method);
      if ('post' in item) await this.#unknownMethod(template, path);
    }
    return this.steps;
  }

  #operations(): Operation[] {
    return Object.entries(this.#walk.document.paths).flatMap(([template, item]) =>
      Object.entries(item).flatMap(([method, operation]) => (isStream(operation) ? [] : [{ template, method, operation }])),
    );
  }

  async #example(one: Operation): Promise<void> {
    const isDone = (status: number): boolean => status >= 200 && status < 300;
    const { examples } = one.operation.requestBody?.content['application/json'] ?? {};
    if (!examples) await this.#sent(one, 'example', isDone, { body: this.#bodyOf(one) });
    for (const [method, { value }] of Object.entries(examples ?? {})) {
      const headers: Record<string, string> = method === 'create' ? {} : { 'x-service-method': method };
      await this.#sent(one, `example of ${method}`, isDone, { body: value, headers });
    }
  }

  /** Each required property missing, and each property with a value of the wrong type. */
  async #missingAndWrong(one: Operation): Promise<void> {
    const body = this.#bodyOf(one);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const refused = (status: number): boolean =>
      status === 400 || (this.#walk.logins?.includes(one.operation.operationId) === true && status === 401);
    const schema = this.#schemaFor(one, body);
    for (const name of (schema.required ?? []) as string[]) {
      const { [name]: _missing, ...rest } = body as Record<string, unknown>;
      await this.#sent(one, `without ${name}`, refused, { body: rest });
    }
    for (const name of Object.keys(schema.properties ?? {})) {
      if (isAnything(this.#resolved(schema.properties[name]))) continue;
      await this.#sent(one, `wrong ${name}`, refused, { body: { ...body, [name]: WRONG } });
    }
  }

  async #queries(one: Operation): Promise<void> {
    for (const parameter of one.operation.parameters ?? []) {
      // A cursor is what a page has told.
      if ('$ref' in parameter || parameter.in !== 'query' || parameter.name === '$after' || parameter.name === '$before') continue;
      for (const text of this.#valuesOf(parameter))
        await this.#sent(one, `?${decodeURIComponent(text)}`, (status) => status === 200 || status === 201, {
          query: text,
          body: this.#bodyOf(one),
        });
      if (parameter.name === '$limit') await this.#sent(one, '?$limit=x', (status) => status === 400, { query: '$limit=x' });
    }
    if (one.method === 'get' && one.operation.parameters?.some((parameter) => 'name' in parameter && parameter.name === '$limit'))
      await this.#sent(one, '?$unknown=1', (status) => status === 400, { query: '$unknown=1' });
  }

  async #withoutCredentials(one: Operation): Promise<void> {
    if (!needsCredentials(one.operation)) return;
    await this.#sent(one, 'no token', (status) => status === 401, { anonymous: true, body: this.#bodyOf(one) });
    await this.#sent(one, 'wrong token', (status) => status === 401, {
      anonymous: true,
      body: this.#bodyOf(one),
      headers: { authorization: 'Bearer wrong' },
    });
  }

  async #otherForms(one: Operation): Promise<void> {
    await this.#sent(one, 'accept text/plain', (status) => status === 406, { headers: { accept: 'text/plain' }, body: this.#bodyOf(one) });
    if (needsCredentials(one.operation)) {
      const headers = { accept: 'application/problem+json' };
      await this.#sent(one, 'no token, as problem', (status) => status === 401, { anonymous: true, headers, body: this.#bodyOf(one) });
    }
    if (one.operation.requestBody) {
      await this.#sent(one, 'text body', (status) => status === 415, { text: 'text', headers: { 'content-type': 'text/plain' } });
      await this.#sent(one, 'broken body', (status) => status === 400, { text: '{"a":' });
    }
  }

  async #unknownRecord(one: Operation): Promise<void> {
    if (!one.template.endsWith('}') || this.#walk.logins?.includes(one.operation.operationId) === true) return;
    const body = this.#bodyOf(one);
    await this.#sent(one, 'unknown id', (status) => status === 404 || status === 412, { body, id: '999999999' });
  }

  /** What the document does not have does nothing. */
  async #undocumented(template: string, path: string, method: string): Promise<void> {
    const answer = await this.#request(path, method, { body: {} });
    const problems = answer.status === 405 ? this.#check.problemsOf('MethodNotAllowed', answer) : [];
    if (answer.status < 400 || answer.status > 499) problems.push(`it was answered with ${String(answer.status)}`);
    this.steps.push({ operation: `${method.toUpperCase()} ${template}`, attempt: 'undocumented', status: answer.status, problems });
  }

  async #unknownMethod(template: string, path: string): Promise<void> {
    const answer = await this.#request(path, 'post', { body: {}, headers: { 'x-service-method': 'thereIsNone' } });
    const problems = this.#check.problems(template, 'post', answer);
    if (answer.status !== 405) problems.push(`it was answered with ${String(answer.status)}`);
    this.steps.push({ operation: `POST ${template}`, attempt: 'unknown method', status: answer.status, problems });
  }

  async #sent(one: Operation, attempt: string, expects: (status: number) => boolean, options: SendOptions): Promise<void> {
    const values = await this.#walk.arrange(one.operation, one.template);
    const path = one.template.replace(/\{([^}]*)\}/g, (_whole, name: string) =>
      encodeURIComponent((isLast(one.template, name) ? options.id : undefined) ?? values[name] ?? ''),
    );
    const query = options.query === undefined ? '' : `?${options.query}`;
    const headers = { ...this.#required(one, values), ...options.headers };
    const answer = await this.#request(path + query, one.method, { ...options, headers });
    const problems = this.#check.problems(one.template, one.method, answer, options.query?.startsWith('%24select'));
    if (!expects(answer.status)) problems.push(`the status ${String(answer.status)} was not expected: ${answer.text.slice(0, 200)}`);
    this.steps.push({ operation: `${one.method.toUpperCase()} ${one.template}`, attempt, status: answer.status, problems });
  }

  /** Headers that the document asks for. */
  #required({ operation }: Operation, values: Readonly<Record<string, string>>): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter || parameter.in !== 'header' || parameter.required !== true) continue;
      headers[parameter.name.toLowerCase()] = values[parameter.name] ?? String(exampleOfParameter(parameter));
    }
    return headers;
  }

  async #request(path: string, method: string, { body, text, headers, anonymous = false }: SendOptions): Promise<Answer> {
    const content = text ?? (body === undefined || method === 'get' || method === 'delete' ? undefined : JSON.stringify(body));
    return send(this.#walk.url, path, {
      method: method.toUpperCase(),
      headers: {
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(anonymous ? {} : this.#walk.headers),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
  }

  #bodyOf({ operation }: Operation): unknown {
    const content = operation.requestBody?.content['application/json'] as MediaTypeObject | undefined;
    if (!content) return undefined;
    const example = content.example ?? Object.values(content.examples ?? {})[0]?.value;
    return this.#walk.body ? this.#walk.body(operation, example) : example;
  }

  /** The schema of a body; of several the first that takes it. */
  #schemaFor(one: Operation, body: unknown): any {
    const schema = this.#resolved(one.operation.requestBody?.content['application/json']?.schema);
    const branches: any[] = schema.oneOf ?? schema.anyOf;
    if (!branches) return schema;
    const keyword = schema.oneOf ? 'oneOf' : 'anyOf';
    const resolved = one.operation.requestBody?.content['application/json']?.schema as any;
    const place = resolved.$ref
      ? String(resolved.$ref).slice(1)
      : `/paths/${pointer(one.template)}/${one.method}/requestBody/content/application~1json/schema`;
    const at = branches.findIndex((_branch, index) => this.#check.fits(`${place}/${keyword}/${String(index)}`, body));
    // Which of several is meant is not known without all of it.
    return branches.length > 1 ? {} : this.#resolved(branches[at]);
  }

  #resolved(schema: any): any {
    const name = String(schema?.$ref ?? '').replace('#/components/schemas/', '');
    return name === '' ? (schema ?? {}) : this.#resolved(this.#walk.document.components.schemas[name]);
  }

  /** Query texts that a parameter stands for, written by its style. */
  #valuesOf(parameter: ParameterObject): string[] {
    const schema = this.#resolved(parameter.schema);
    const name = encodeURIComponent(parameter.name);
    const texts: string[] = [];
    for (const branch of (schema.anyOf ?? [schema]) as any[]) {
      const { type, properties, items } = this.#resolved(branch);
      if (type === 'object' && parameter.style === 'deepObject') {
        for (const [key, inner] of Object.entries(properties ?? {})) {
          const value = this.#plain(inner);
          if (value !== undefined) texts.push(`${name}${encodeURIComponent(`[${key}]`)}=${encodeURIComponent(String(value))}`);
        }
      } else if (type === 'array') {
        const value = this.#plain(items);
        if (value !== undefined) texts.push(`${name}=${encodeURIComponent(String(value))}&${name}=${encodeURIComponent(String(value))}`);
      } else {
        const value = this.#plain(branch);
        if (value !== undefined) texts.push(`${name}=${encodeURIComponent(String(value))}`);
      }
    }
    return texts;
  }

  #plain(given: unknown): unknown {
    const { anyOf, enum: literals, const: literal, type, format, pattern, minimum = 0 } = this.#resolved(given);
    if (anyOf) return this.#plain(anyOf[0]);
    if (literal !== undefined) return literal;
    if (literals) return literals[0];
    if (format === 'date-time') return '2025-01-31T12:00:00.000Z';
    if (format === 'email') return 'someone@example.com';
    if (pattern === '^[A-Z]{2}$') return 'GB';
    if (type === 'string' && pattern === undefined && format === undefined) return 'text';
    if (type === 'integer' || type === 'number') return Math.max(1, minimum);
    return type === 'boolean' ? true : undefined;
  }
}

interface SendOptions {
  readonly body?: unknown;
  readonly text?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: boolean;
  readonly id?: string;
}

/** A table of what was called: operations, tries and the statuses that were seen. */
export function tableOf(steps: readonly Step[]): string {
  const rows = new Map<string, Map<number, number>>();
  for (const { operation, status } of steps) {
    const row = rows.get(operation) ?? new Map<number, number>();
    rows.set(operation, row.set(status, (row.get(status) ?? 0) + 1));
  }
  const width = Math.max(...[...rows.keys()].map((name) => name.length));
  const lines = [...rows].map(([name, statuses]) => {
    const seen = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${String(status)} × ${String(count)}`);
    return `${name.padEnd(width)}  ${seen.join(', ')}`;
  });
  return [...lines, `${String(rows.size)} operations, ${String(steps.length)} requests`].join('\n');
}

function isStream({ responses }: OperationObject): boolean {
  return JSON.stringify(responses['200'] ?? {}).includes('text/event-stream');
}

function needsCredentials({ security = [] }: OperationObject): boolean {
  return security.length > 0 && security.every((one) => Object.keys(one).length > 0);
}

function isAnything(schema: any): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'title');
}

function isLast(template: string, name: string): boolean {
  return template.endsWith(`{${name}}`);
}

function exampleOfParameter({ schema }: ParameterObject): unknown {
  const { enum: literals, const: literal } = schema as { enum?: unknown[]; const?: unknown };
  return literal ?? literals?.[0] ?? 'text';
}
