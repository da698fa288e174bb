import { isDate, isObjectId, isPlainObject } from '@framework/query';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { alternativesOf } from '../record-shape/parts.ts';
import { References } from '../record-shape/references.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import { compilerOf } from './ajv.ts';
import { byBranch, type Branch } from './by-branch.ts';
import { literalConversion, textConversion } from './coerce-text.ts';
import { parseDate } from './date-text.ts';
import { dialectOf } from './dialect.ts';
import { isTold, judgeOf, testAlone, type Judge } from './judge.ts';
import { excludedBy, objectTest } from './object-test.ts';
import { textTest } from './text-test.ts';
import { keep, Rewrites, type Rewrite } from './rewrites.ts';
import { restartSteps } from './step-limit.ts';
import { typesOf, typeTest } from './value-type.ts';

/**
 * Converts texts, as query strings have them, to the types that a schema declares, and object ids to the texts that it declares. What does not convert exactly stays as
 * it is, and the validator reports it: `"10abc"`, `""`, `"1e309"` are no numbers, `"2020-02-30"` is no date.
 *
 * @param schema the schema of the value
 * @param value any value; it is not changed
 * @returns the converted value; parts without anything to convert are shared with the given one
 * @throws TypeError for what is no schema, BadRequest (400) for a value that is nested deeper than 200 levels of a schema that contains itself
 * @see interface 4.6
 */
export function coerce(schema: JSONSchema, value: unknown): unknown {
  refuseNoObject('coerce() takes the schema of the value', schema);
  const known = compiled.get(schema) ?? compileCoercion(schema);
  compiled.set(schema, known);
  return known(value);
}

const compiled = new WeakMap<JSONSchema, Rewrite>();

/**
 * Works out the conversion of a schema.
 *
 * @param references what its references mean. Default: parts of itself
 * @param judge tells what the validator of the schema would say. Default: that of its version of JSON Schema
 * @throws Error for a reference that does not resolve
 */
export function compileCoercion(
  schema: JSONSchema,
  references: References = new References(schema),
  judge: Judge = judgeOf(references, compilerOf(dialectOf(schema))),
): Rewrite {
  const convert = new Coercions(references, judge).whole(schema);
  return (value) => {
    restartSteps();
    return convert(value);
  };
}

/** Unions that lie in each other and are decided by what a validator says of the value: it looks at all of it each time. */
const MAX_UNIONS = 20;

/** No element of a list. */
const NONE = Symbol('none');

/** What tells whether a value fits a schema: its type alone, texts and the properties of objects too, or besides that names of operators are none of properties. */
type FitBy = 'type' | 'properties' | 'meaning';

/** The conversions of the parts of one document. */
class Coercions extends Rewrites {
  readonly #references: References;
  readonly #judge: Judge;

  constructor(references: References, judge: Judge) {
    super();
    this.#references = references;
    this.#judge = judge;
  }

  protected override compile(schema: JSONSchema): Rewrite {
    const parts = [...(schema.allOf ?? []), ...this.#references.of(schema)];
    const unions = [schema.anyOf, schema.oneOf].filter((branches) => branches !== undefined);
    const steps = [
      ...parts.map((part) => this.of(part)),
      this.#typed(schema),
      ...unions.map((branches) => this.#branches(branches.filter(isSchema))),
      ...this.#dependent(schema),
      schema.if ? this.#condition(schema.if, schema.then ?? {}, schema.else ?? {}) : keep,
    ].filter((step) => step !== keep);
    const [only = keep] = steps;
    return steps.length <= 1 ? only : (value) => steps.reduce((current, step) => step(current), value);
  }

  /** Schemas of objects that have a property. */
  #dependent({ dependentSchemas, dependencies }: JSONSchema): Rewrite[] {
    const named = [dependentSchemas, dependencies].filter(isSchema).flatMap((map) => Object.entries(map));
    return named.flatMap(([name, part]) => {
      const convert = this.of(part);
      return convert === keep ? [] : [(value: unknown) => (isPlainObject(value) && Object.hasOwn(value, name) ? convert(value) : value)];
    });
  }

  /** Query schemas have conditions on the type of a value. */
  #condition(condition: JSONSchema, yes: JSONSchema, no: JSONSchema): Rewrite {
    const fits = isTold(condition) ? this.#fits(condition, 'properties') : this.#judge.test(condition);
    const [whenTrue, whenFalse] = [this.of(yes), this.of(no)];
    if (whenTrue === keep && whenFalse === keep) return keep;
    const ambiguous = yes.type === 'object' && this.#takesLists(no);
    const isOperators = yes.type === 'object';
    return (value) => {
      // An object id asks for itself: it has no operators.
      if (isOperators && isObjectId(value)) return whenFalse(value);
      // A list of more items than the parser's limit comes as an object with index keys.
      if (ambiguous && fits(value)) {
        const converted = whenFalse(value);
        return converted === value ? whenTrue(value) : converted;
      }
      return fits(value) ? whenTrue(value) : whenFalse(value);
    };
  }

  #takesLists(schema: JSONSchema): boolean {
    return [...alternativesOf(schema, (one) => this.#references.of(one))].some((one) => typesOf(one).includes('array'));
  }

  #branches(schemas: readonly JSONSchema[]): Rewrite {
    const branches = schemas.map((schema): Branch => {
      const takes = testAlone(this.#judge, schema);
      return {
        fits: this.#fits(schema, 'meaning'),
        isLike: this.#fits(schema, 'type'),
        excludes: excludedBy([schema, ...(schema.allOf ?? []), ...this.#references.of(schema)]),
        convert: this.of(schema),
        takes: (value) => this.unions <= MAX_UNIONS && takes(value),
      };
    });
    return (value) => {
      if (typeof value !== 'object' || value === null) return byBranch(branches, value);
      return this.inUnion(branches, value, () => byBranch(branches, value));
    };
  }

  #fits(schema: JSONSchema, by: FitBy, passed: ReadonlySet<JSONSchema> = new Set()): (value: unknown) => boolean {
    if (schema.const !== undefined) return (value) => schema.const === value;
    const { enum: literals } = schema;
    if (literals) return (value) => literals.includes(value);
    if (schema.date === true) return isDate;
    const types = typesOf(schema).map(typeTest);
    const within = new Set([...passed, schema]);
    const branches = (schema.anyOf ?? schema.oneOf)
      ?.filter((part) => isSchema(part) && !within.has(part))
      .map((part) => this.#fits(part, by, within));
    const targets = [...(schema.allOf ?? []), ...this.#references.of(schema)]
      .filter((target) => isSchema(target) && !within.has(target))
      .map((target) => this.#fits(target, by, within));
    const mayBeObject = types.length === 0 || typesOf(schema).includes('object');
    const mayHave = by !== 'type' && mayBeObject ? objectTest(schema, by === 'meaning', this.#judge.formats) : undefined;
    const isText = by === 'type' ? undefined : textTest(schema, this.#judge.formats);
    const [only] = types;
    if (only && types.length === 1 && !branches && targets.length === 0 && !mayHave && !isText) return only;
    return (value) => {
      if (isText && typeof value === 'string' && !isText(value)) return false;
      if (branches && !branches.some((branch) => branch(value))) return false;
      if (!targets.every((target) => target(value))) return false;
      if (mayHave && isPlainObject(value) && !mayHave(value)) return false;
      return types.length === 0 || types.some((test) => test(value));
    };
  }

  #typed(schema: JSONSchema): Rewrite {
    if (schema.date === true) return toDate;
    const literals = schema.const === undefined ? schema.enum : [schema.const];
    if (literals) return literals.every((literal) => typeof literal === 'string') ? toText : literalConversion(literals);
    const types = typesOf(schema);
    if (types.includes('array') && types.length === 1) return this.#list(schema, types);
    const text = textConversion(types);
    const object = types.includes('object') ? this.#object(schema) : types.length === 0 ? keep : toText;
    const single: Rewrite = text ? (value) => (typeof value === 'string' ? text(value) : object(value)) : object;
    if (!types.includes('array')) return single;
    const list = this.#list(schema, types);
    return (value) => {
      const listed = list(value);
      return listed === value && !Array.isArray(value) ? single(value) : listed;
    };
  }

  /** One value stands for a list of one, and an object with index keys for the list that a query string parser made it from. */
  #list({ items, prefixItems, additionalItems }: JSONSchema, types: readonly string[]): Rewrite {
    const positions = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const tuple = positions.map((part) => this.of(part));
    const rest = this.of(Array.isArray(items) ? additionalItems : items);
    const alone = types.length === 1;
    // An element of a list that may hold such lists is no list of one.
    let element: unknown = NONE;
    const each = (list: readonly unknown[]): unknown[] | undefined => {
      let copy: unknown[] | undefined;
      for (let index = 0; index < list.length; index++) {
        element = list[index];
        const converted = (tuple[index] ?? rest)(element);
        if (converted === list[index]) continue;
        copy ??= [...list];
        copy[index] = converted;
      }
      return copy;
    };
    return (value) => {
      const isWrapped = alone && isScalar(value) && value !== element;
      const list = Array.isArray(value) ? (value as readonly unknown[]) : (indexedList(value) ?? (isWrapped ? [value] : undefined));
      if (!list) return value;
      const before = element;
      try {
        return each(list) ?? (list === value ? value : list);
      } finally {
        element = before;
      }
    };
  }

  #object({ properties = {}, patternProperties = {}, additionalProperties }: JSONSchema): Rewrite {
    const own = new Map(Object.entries(properties).map(([name, property]) => [name, this.of(property)]));
    const patterns = Object.entries(patternProperties as Readonly<Record<string, JSONSchema>>).map(
      ([source, property]) => [new RegExp(source, 'u'), this.of(property)] as const,
    );
    const rest = this.of(additionalProperties);
    if (rest === keep && patterns.length === 0 && [...own.values()].every((step) => step === keep)) return keep;
    const stepOf = (name: string): Rewrite => own.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1] ?? rest;
    return (value) => {
      if (!isPlainObject(value)) return value;
      let copy: Record<string, unknown> | undefined;
      // Nothing is inherited that could be enumerated, and no list of names is made.
      for (const name in value) {
        const given = value[name];
        const converted = stepOf(name)(given);
        if (converted === given || name === '__proto__') continue;
        copy ??= { ...value };
        copy[name] = converted;
      }
      return copy ?? value;
    };
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined;
}

const INDEX = /^\d+$/;

function indexedList(value: unknown): unknown[] | undefined {
  if (!isPlainObject(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => INDEX.test(key))) return undefined;
  return [...keys].sort((a, b) => Number(a) - Number(b)).map((key) => value[key]);
}

/** Records of a database have object ids where their schema says text, and hand them on to other calls. Nothing that came from outside is one. */
function toText(value: unknown): unknown {
  return isObjectId(value) ? value.toHexString() : value;
}

function toDate(value: unknown): unknown {
  return typeof value === 'string' ? (parseDate(value) ?? value) : value;
}
