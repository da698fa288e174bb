import type { Code, KeywordCxt, Name } from 'ajv';

/** Writes the code of a keyword, of names and of text between them. */
export interface KeywordCode {
  /** @returns a name of the code that ajv writes around the keyword */
  readonly name: (text: string) => Name;
  /** @returns what `parts` say, one behind the other */
  readonly code: (...parts: readonly (Name | string)[]) => Code;
  readonly isName: (value: unknown) => value is Name;
}

/**
 * Gives the classes that the code of a keyword is made of. A copy of ajv knows its own alone and writes objects of another one as JSON, which is no code. A
 * validator may be of another copy than this package has: one of the application whose lock file has another version, or of a newer dialect beside a bundle.
 *
 * @param context the keyword, at the place that is compiled
 */
export function keywordCode({ gen, it }: KeywordCxt): KeywordCode {
  const OwnName = gen.name('own').constructor as typeof Name;
  const OwnCode = it.schemaPath.constructor as new (parts: readonly (Name | string)[]) => Code;
  return {
    name: (text) => new OwnName(text),
    code: (...parts) => new OwnCode(parts),
    isName: (value) => value instanceof OwnName,
  };
}
