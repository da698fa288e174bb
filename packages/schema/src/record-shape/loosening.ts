import type { JSONSchema } from '../json-schema.ts';
import { decidingNames } from './deciding-names.ts';
import { REFERENCES, walkSchemas } from './keywords.ts';
import type { References } from './references.ts';

/** What data lack of the value that a schema describes. */
export interface Lack {
  /** Whether they are a change, which may lack anything. */
  readonly isChange: boolean;
  readonly isLacking: (name: string) => boolean;
}

/** References to what comes to stand elsewhere where a schema is loosened. */
const MOVING = /\/(?:oneOf|if|then|else|not)(?:\/|$)/;

/** @returns whether a document refers to what would not stay where it is */
export function leadsThroughLoose(root: JSONSchema): boolean {
  let leads = false;
  walkSchemas(root, (part) => (leads ||= REFERENCES.some((keyword) => MOVING.test(String(part[keyword] ?? '')))));
  return leads;
}

/** Takes out of a schema what can not be told of data that lack something: without what tells alternatives apart several may fit. */
export class Loosening {
  readonly #references: References;

  constructor(references: References) {
    this.#references = references;
  }

  /**
   * @param copy the schema, with less in its parts
   * @param whole the schema as it is
   * @returns the copy itself where everything can be told
   */
  of(copy: JSONSchema, whole: JSONSchema, lack: Lack): JSONSchema {
    const { oneOf, not, if: condition, then = {}, else: otherwise = {} } = copy;
    const isUntold = (tried: unknown): boolean => tried !== undefined && (lack.isChange || this.#lacks(tried, lack));
    const rest = { ...copy };
    const parts: JSONSchema[] = [];
    if (oneOf !== undefined && (oneOf !== whole.oneOf || oneOf.some(isUntold))) {
      delete rest.oneOf;
      parts.push({ anyOf: oneOf });
    }
    if (isUntold(not)) {
      delete rest.not;
      parts.push(this.#whereTold(not, { not }, {}, lack));
    }
    if (isUntold(condition)) {
      for (const keyword of ['if', 'then', 'else']) Reflect.deleteProperty(rest, keyword);
      parts.push(this.#whereTold(condition, { if: condition, then, else: otherwise }, { anyOf: [then, otherwise] }, lack));
    }
    return parts.length === 0 ? copy : { ...rest, allOf: [...(rest.allOf ?? []), ...parts] };
  }

  #lacks(tried: unknown, { isLacking }: Lack): boolean {
    return decidingNames(tried, this.#references).names.some(isLacking);
  }

  /** A change may have all that decides it. */
  #whereTold(tried: unknown, told: JSONSchema, untold: JSONSchema, lack: Lack): JSONSchema {
    const { names, all } = decidingNames(tried, this.#references);
    return lack.isChange && all && !names.some(lack.isLacking) ? { if: { required: names }, then: told, else: untold } : untold;
  }
}
