import type { Random } from '@framework-internal/random';

/** How a property of a generated record is kept from callers. */
export type Secrecy = 'hidden' | 'writeOnly' | 'readOnly' | 'role';

/** A place of a generated record that callers do not see or do not set. */
export interface MarkedPlace {
  readonly secrecy: Secrecy;
  /** Names on the way, `0` for an element. */
  readonly path: readonly string[];
}

/** A generated schema of records, as JSON Schema, with what has to hold of it. */
export interface GeneratedShape {
  readonly schema: Record<string, unknown>;
  /** A record that the schema describes. Values that no caller may see are texts that begin with {@link SECRET}. */
  readonly record: Record<string, unknown>;
  /** Every marked place that the record has a value for. */
  readonly places: readonly MarkedPlace[];
  /** Texts of the record that every caller sees. */
  readonly visible: readonly string[];
  /** Constructs that the shape is made of. */
  readonly constructs: ReadonlySet<string>;
  /** Deepest nesting, in levels. */
  readonly depth: number;
}

/** How values begin that no caller may see. */
export const SECRET = 'SECRET-';

type Schema = Record<string, unknown>;
type TupleKeyword = 'items' | 'prefixItems';

/** A part of a shape: a schema, a value that fits it, and how further schemas may stand around it. */
interface Part {
  readonly schema: Schema;
  readonly value: unknown;
}

/** Allows or forbids by role; generated rules never agree. */
const never = (): boolean => false;

const MARKS: Readonly<Record<Secrecy, Schema>> = {
  hidden: { hidden: true },
  writeOnly: { writeOnly: true },
  readOnly: { readOnly: true },
  role: { readable: never, writable: never },
};

/** Makes schemas of records with every construct, and records that have secrets in them. */
export class ShapeGenerator {
  readonly #random: Random;
  readonly #maxDepth: number;
  readonly #compiled: boolean;
  #tuples: TupleKeyword = 'items';
  #serial = 0;
  #places: MarkedPlace[] = [];
  #visible: string[] = [];
  #constructs = new Set<string>();
  #definitions: Schema = {};
  #depth = 0;

  /**
   * @param maxDepth deepest nesting. Default: 6
   * @param compiled whether validators have to take the schemas: tuples of one schema are then written in one version of JSON Schema. Default: `false`
   */
  constructor(random: Random, maxDepth = 6, compiled = false) {
    this.#random = random;
    this.#maxDepth = maxDepth;
    this.#compiled = compiled;
  }

  /** @returns another shape */
  next(): GeneratedShape {
    this.#places = [];
    this.#visible = [];
    this.#constructs = new Set();
    this.#definitions = {};
    this.#depth = 0;
    if (this.#compiled) this.#tuples = this.#random.pick<TupleKeyword>(['items', 'prefixItems']);
    const { schema, value } = this.#object([], 1, false);
    const whole = Object.keys(this.#definitions).length > 0 ? { ...schema, $defs: this.#definitions } : schema;
    return {
      schema: whole,
      record: value as Record<string, unknown>,
      places: this.#places,
      visible: this.#visible,
      constructs: this.#constructs,
      depth: this.#depth,
    };
  }

  #object(path: readonly string[], depth: number, secret: boolean): Part {
    this.#depth = Math.max(this.#depth, depth);
    const properties: Schema = {};
    const value: Record<string, unknown> = {};
    const count = 1 + this.#random.below(2);
    for (let index = 0; index < count; index++) {
      const name = `${this.#random.pick(['name', 'note', 'code', 'ö', 'a-b'])}${String(index)}`;
      const part = this.#property([...path, name], depth, secret);
      properties[name] = part.schema;
      value[name] = part.value;
    }
    return this.#asObject(properties, value, path, depth, secret);
  }

  /** The same properties, written in one of the ways in which an object may be described. */
  #asObject(properties: Schema, value: Record<string, unknown>, path: readonly string[], depth: number, secret: boolean): Part {
    const plain = { type: 'object', properties };
    const [first = '', ...others] = Object.keys(properties);
    const split = (): Schema[] => [
      { type: 'object', properties: { [first]: properties[first] } },
      { type: 'object', properties: Object.fromEntries(others.map((name) => [name, properties[name]])) },
    ];
    switch (this.#random.below(9)) {
      case 0:
        return this.#built('allOf', { type: 'object', allOf: split() }, value);
      case 1:
        return this.#built('anyOf', { anyOf: [plain, { type: 'object', properties: { other: { type: 'string' } } }] }, value);
      case 2:
        return this.#built('oneOf', { oneOf: [{ type: 'null' }, plain] }, value);
      case 3:
        return this.#built('if', { type: 'object', if: { required: [first] }, then: plain, else: { properties: {} } }, value);
      case 4:
        return this.#built('dependentSchemas', { type: 'object', properties: {}, dependentSchemas: { [first]: plain } }, value);
      case 5: {
        const extra = this.#property([...path, 'xExtra'], depth, secret);
        return this.#built('patternProperties', { ...plain, patternProperties: { '^x': extra.schema } }, { ...value, xExtra: extra.value });
      }
      case 6: {
        const extra = this.#property([...path, 'anyName'], depth, secret);
        return this.#built('additionalProperties', { ...plain, additionalProperties: extra.schema }, { ...value, anyName: extra.value });
      }
      case 7: {
        const extra = this.#property([...path, 'anyName'], depth, secret);
        return this.#built('unevaluatedProperties', { ...plain, unevaluatedProperties: extra.schema }, { ...value, anyName: extra.value });
      }
      default:
        return this.#built('properties', plain, value);
    }
  }

  /** @param secret whether the property lies inside something that is kept from callers */
  #property(path: readonly string[], depth: number, secret: boolean): Part {
    if (secret || !this.#random.oneIn(3)) return this.#value(path, depth, secret);
    const secrecy = this.#random.pick<Secrecy>(['hidden', 'hidden', 'writeOnly', 'readOnly', 'role']);
    this.#places.push({ secrecy, path });
    const inner = this.#value(path, depth, secrecy !== 'readOnly');
    return { schema: this.#marked(inner.schema, MARKS[secrecy]), value: inner.value };
  }

  /** A mark on the schema itself, or on a part that stands for it. */
  #marked(schema: Schema, mark: Schema): Schema {
    switch (this.#random.below(5)) {
      case 0:
        return this.#noted('marked in a union', { anyOf: [{ ...schema, ...mark }, { type: 'null' }] });
      case 1:
        return this.#noted('marked in an intersection', { allOf: [schema, mark] });
      case 2:
        return this.#noted('marked in a definition', this.#defined({ ...schema, ...mark }));
      default:
        return { ...schema, ...mark };
    }
  }

  #value(path: readonly string[], depth: number, secret: boolean): Part {
    if (depth >= this.#maxDepth || !this.#random.oneIn(depth === 1 ? 1 : 2)) return this.#text(secret);
    switch (this.#random.below(9)) {
      case 0:
        return this.#list(path, depth, secret);
      case 1:
        return this.#tuple(path, depth, secret, this.#compiled ? this.#tuples : 'prefixItems');
      case 2:
        return this.#tuple(path, depth, secret, this.#compiled ? this.#tuples : 'items');
      case 3: {
        const { schema, value } = this.#object(path, depth + 1, secret);
        return { schema: this.#noted('nullable', { anyOf: [schema, { type: 'null' }] }), value };
      }
      case 4: {
        const { schema, value } = this.#object(path, depth + 1, secret);
        return { schema: this.#noted('$ref', this.#defined(schema)), value };
      }
      case 5:
        return this.#recursive(path, depth, secret);
      case 6: {
        const { schema, value } = this.#object(path, depth + 1, secret);
        return { schema: this.#noted('not', { ...schema, not: { type: 'string' } }), value };
      }
      default:
        return this.#object(path, depth + 1, secret);
    }
  }

  #text(secret: boolean): Part {
    const text = `${secret ? SECRET : 'open-'}${String(this.#serial++)}-`;
    if (!secret) this.#visible.push(text);
    return { schema: { type: 'string' }, value: text };
  }

  #list(path: readonly string[], depth: number, secret: boolean): Part {
    this.#constructs.add('items');
    const { schema, value } = this.#object([...path, '0'], depth + 1, secret);
    return { schema: { type: 'array', items: schema }, value: [value] };
  }

  #tuple(path: readonly string[], depth: number, secret: boolean, keyword: TupleKeyword): Part {
    this.#constructs.add(keyword === 'items' ? 'list of items' : 'prefixItems');
    const [first, second] = [this.#property([...path, '0'], depth, secret), this.#object([...path, '1'], depth + 1, secret)];
    return { schema: { type: 'array', [keyword]: [first.schema, second.schema] }, value: [first.value, second.value] };
  }

  /** An object that has one of its own kind in it, and that one another. */
  #recursive(path: readonly string[], depth: number, secret: boolean): Part {
    this.#constructs.add('recursion');
    const name = this.#newName();
    const before = this.#places.length;
    const own = this.#property([...path, 'own'], depth, secret);
    for (const { secrecy, path: place } of this.#places.slice(before))
      for (const inner of [['inner'], ['inner', 'inner']])
        this.#places.push({ secrecy, path: [...path, ...inner, ...place.slice(path.length)] });
    this.#definitions[name] = { type: 'object', properties: { own: own.schema, inner: { $ref: `#/$defs/${name}` } } };
    const innermost = { own: own.value };
    return { schema: { $ref: `#/$defs/${name}` }, value: { own: own.value, inner: { own: own.value, inner: innermost } } };
  }

  #defined(schema: Schema): Schema {
    const name = this.#newName();
    this.#definitions[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  #newName(): string {
    return `d${String(this.#serial++)}`;
  }

  #built(construct: string, schema: Schema, value: Record<string, unknown>): Part {
    this.#constructs.add(construct);
    return { schema, value };
  }

  #noted(construct: string, schema: Schema): Schema {
    this.#constructs.add(construct);
    return schema;
  }
}
