import type { DocDbParams } from '../docdb-types.ts';

/** How the database, or the driver, says that it does not take an option, where it does not name it as a field of the command. */
const SAID_OF: Readonly<Record<string, RegExp>> = {
  hint: /\bhint provided does not correspond to an existing index\b|^the hint |^Hint /,
  collation: /^Field '\w+' is invalid in: \{/,
  readPreference: /^Invalid read preference\b/,
  sort: /^Invalid sort\b/,
};

/**
 * A field of a command, and what is inside of it: `BSON field 'find.let' is the wrong type`, `Enumeration value 'nowhere' for field 'find.readConcern.level' is not a
 * valid value`. Fields of records are spoken of otherwise (`has the field 'session' of non-numeric type`), and behind their beginning messages have values of callers.
 */
const FIELD = /^(?:BSON field|Enumeration value '.*' for field) '([\w.]+)'/;

/**
 * The option of the driver, of those that a call has, that is refused. No caller has part in these: the application gives them.
 *
 * @param message of the error; values of callers may be in it
 * @param params of the call
 * @returns its name; `undefined` where the error is of something else
 */
export function refusedOption(message: string, { collation, docdb }: DocDbParams = {}): string | undefined {
  const path = FIELD.exec(message)?.[1]?.split('.') ?? [];
  const names = new Set([...Object.keys(docdb ?? {}), ...(collation === undefined ? [] : ['collation'])]);
  return [...names].find((name) => path.slice(0, 2).includes(name) || SAID_OF[name]?.test(message) === true);
}
