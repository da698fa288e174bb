import type { OpenApiDocument, ResponseObject } from '@framework/openapi';
import type { Answer } from '@framework-internal/testing/http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsModule from 'ajv-formats';

// The module is CommonJS: its types and its value disagree about the default.
const addFormats = formatsModule as unknown as (ajv: Ajv2020) => Ajv2020;

/** Holds answers against a document. */
export class DocumentCheck {
  readonly #document: OpenApiDocument;
  readonly #ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }));
  /** By the place of their schema: a schema is compiled once, however many answers are held against it. */
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv.addSchema(document, 'document');
  }

  /**
   * @param inPart whether the request asked for some properties only
   * @returns what of an answer is not as the document says; nothing when all is
   */
  problems(template: string, method: string, answer: Answer, inPart = false): string[] {
    const operation = (this.#document.paths as any)[template]?.[method];
    if (!operation) return [`${method} ${template} is not in the document`];
    const key = Object.hasOwn(operation.responses, String(answer.status)) ? String(answer.status) : 'default';
    if (key === 'default') return [`the status ${String(answer.status)} is not in the document`];
    return this.#ofResponse(`/paths/${pointer(template)}/${method}/responses/${key}`, operation.responses[key], answer, inPart);
  }

  /** @returns what of an answer is not as a response of the components says */
  problemsOf(name: string, answer: Answer): string[] {
    const response = this.#document.components.responses[name];
    return response ? this.#ofResponse(`/components/responses/${name}`, response, answer) : [`there is no response ${name}`];
  }

  /** @returns whether a value fits a schema of the document */
  fits(place: string, value: unknown): boolean {
    return this.#checkAt(place)(value);
  }

  #checkAt(place: string): ValidateFunction {
    const check = this.#checks.get(place) ?? this.#ajv.compile({ $ref: `document#${place}` });
    this.#checks.set(place, check);
    return check;
  }

  #ofResponse(place: string, given: any, answer: Answer, inPart = false): string[] {
    if (given.$ref !== undefined) {
      const name = String(given.$ref).replace('#/components/responses/', '');
      return this.#ofResponse(`/components/responses/${name}`, this.#document.components.responses[name], answer);
    }
    const { content, headers = {} } = given as ResponseObject;
    const missing = Object.keys(headers).filter((name) => answer.headers[name.toLowerCase()] === undefined);
    const problems = missing.map((name) => `the header ${name} is missing`);
    if (content === undefined) return answer.text === '' ? problems : [...problems, 'there is a body'];
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    if (!Object.hasOwn(content, type)) return [...problems, `the type ${type} is not in the document`];
    const check = this.#checkAt(`${place}/content/${pointer(type)}/schema`);
    check(type.endsWith('json') ? answer.body : answer.text);
    const found = check.errors ?? [];
    // Of several schemas the one that is meant does not fit either, for the same reason.
    const errors = inPart
      ? found.some(({ keyword }) => keyword === 'anyOf')
        ? []
        : found.filter(({ keyword }) => keyword !== 'required')
      : found;
    if (errors.length > 0) problems.push(`the body is not as described: ${this.#ajv.errorsText(errors)} in ${answer.text.slice(0, 300)}`);
    return problems;
  }
}

/** A name as a part of a JSON pointer in an address. */
export function pointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
