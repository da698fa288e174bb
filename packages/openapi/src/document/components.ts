import type { DescribedSchema, RecordDescription } from '@framework/core';
import { ERROR_RESPONSES, ERROR_SCHEMAS, type ErrorStatus } from './errors.ts';
import { definitionsIn, rewritten, type ReferenceTargets } from './rewrite.ts';
import { sameDefinitions } from './same-definitions.ts';
import type { Reference, ResponseObject } from './types.ts';

/** What several parts of a document share, by name. */
export class Components {
  readonly schemas: Record<string, DescribedSchema> = { ...ERROR_SCHEMAS };
  readonly responses: Record<string, ResponseObject> = {};
  readonly securitySchemes: Record<string, object> = {};
  readonly #names = new Map<string, string>();
  readonly #records = new Map<string, string>();

  /** Keeps a name for the records of a service, before any of them is written: they may name each other. */
  nameRecord(path: string, wanted: string): void {
    const name = this.#free(wanted);
    this.schemas[name] = {};
    this.#records.set(path, name);
  }

  /** @returns a reference to the records of a service; any object where they are not described */
  record(path: string): DescribedSchema {
    const name = this.#records.get(path);
    return name === undefined ? { type: 'object' } : reference(name);
  }

  /** Name of the records of a service; `undefined` where they are not described. */
  recordName(path: string): string | undefined {
    return this.#records.get(path);
  }

  /**
   * Writes a schema of a description for the document; what it refers to becomes a part of the components.
   *
   * @param definitions of the description
   */
  written(schema: DescribedSchema, definitions: RecordDescription['definitions'] = {}): DescribedSchema {
    return rewritten(schema, this.#targets(definitions));
  }

  /** Describes the records of a service. */
  setRecord(path: string, { record, definitions }: RecordDescription): void {
    const name = this.#records.get(path);
    if (name !== undefined) this.schemas[name] = this.written(record, definitions);
  }

  /**
   * Makes a schema a component.
   *
   * @param wanted its name, unless another schema has it
   * @returns a reference to it
   */
  add(wanted: string, schema: DescribedSchema): DescribedSchema {
    const key = `${wanted} ${JSON.stringify(schema)}`;
    const known = this.#names.get(key);
    if (known !== undefined) return reference(known);
    const name = this.#free(wanted);
    this.#names.set(key, name);
    this.schemas[name] = schema;
    return reference(name);
  }

  /**
   * Makes a schema that holds itself a component.
   *
   * @param wanted its name, unless another schema has it
   * @param schema makes the schema with a reference to itself
   */
  addRecursive(wanted: string, schema: (self: DescribedSchema) => DescribedSchema): DescribedSchema {
    const key = `${wanted} ${JSON.stringify(schema({}))}`;
    const known = this.#names.get(key) ?? this.#free(wanted);
    this.#names.set(key, known);
    this.schemas[known] = schema(reference(known));
    return reference(known);
  }

  /**
   * Makes a way in which credentials travel a component.
   *
   * @param wanted its name, unless another way has it
   * @param path path of the authentication service, which tells ways of one name apart
   * @returns its name
   */
  securityScheme(wanted: string, path: string, scheme: object): string {
    const base = wanted.replace(/[^\w.-]/g, '-');
    const text = JSON.stringify(scheme);
    for (const name of [base, `${base}.${path.replace(/[^\w.-]/g, '-')}`]) {
      const known = this.securitySchemes[name];
      if (known !== undefined && JSON.stringify(known) !== text) continue;
      this.securitySchemes[name] = scheme;
      return name;
    }
    throw new Error(`Two strategies '${wanted}' of the authentication service '${path}' read credentials in different ways`);
  }

  /** @returns a reference to the answer of an error */
  error(status: ErrorStatus | 'default'): Reference {
    const { name, response } = ERROR_RESPONSES[status];
    this.responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  #targets(definitions: RecordDescription['definitions']): ReferenceTargets {
    const same = sameDefinitions(definitions);
    const targets: ReferenceTargets = {
      definition: (name) => this.#definition(same.get(name) ?? name, definitions, targets),
      service: (path) => this.record(path),
    };
    return targets;
  }

  #definition(name: string, definitions: RecordDescription['definitions'], targets: ReferenceTargets): DescribedSchema {
    const own = (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? {};
    // The same schema in several services is one: with all that it leads to.
    const parts = [...definitionsIn(own, definitions)].map((part) => [part, definitions[part]]);
    const key = `${name} ${JSON.stringify([own, parts])}`;
    const known = this.#names.get(key);
    if (known !== undefined) return reference(known);
    const made = this.#free(name);
    this.#names.set(key, made);
    // Known before it is written: it may contain itself.
    this.schemas[made] = {};
    this.schemas[made] = rewritten(own, targets);
    return reference(made);
  }

  #free(wanted: string): string {
    const letters = wanted.replace(/[^\w.-]/g, '');
    // A property of this name would be the prototype of the others.
    const base = letters === '' || letters === '__proto__' ? 'Schema' : letters;
    let name = base;
    for (let count = 2; Object.hasOwn(this.schemas, name); count++) name = `${base}${String(count)}`;
    return name;
  }
}

function reference(name: string): DescribedSchema {
  return { $ref: `#/components/schemas/${name}` };
}
