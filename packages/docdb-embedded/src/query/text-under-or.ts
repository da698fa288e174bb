import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { badValue } from '../errors.ts';
import { splitText } from './matcher.ts';

/** A search for words that is one of several branches. */
export interface TextBranch {
  readonly text: Doc;
  /** What else its own branch asks for. */
  readonly beside: Doc;
  /** What the filter asks of all documents, as far as it stands around the branches. */
  readonly around: Doc;
  /** The branches beside it. */
  readonly others: readonly Doc[];
}

/**
 * @returns the search for words in one of several branches of a filter; `undefined` where there is none
 * @throws DocDbError (2) for more than one
 */
export function textUnderOr(filter: Doc): TextBranch | undefined {
  const found: TextBranch[] = [];
  look(filter, {}, found);
  if (found.length > 1) throw badValue('Too many text expressions');
  return found[0];
}

function look(filter: Doc, around: Doc, found: TextBranch[]): void {
  const { $and: all, $or: any, ...fields } = filter;
  const known = { ...around, ...fields };
  for (const part of documentsOf(all)) look(part, known, found);
  const branches = documentsOf(any);
  for (const branch of branches) {
    const { text, rest: beside } = splitText(branch);
    if (text) found.push({ text, beside, around: known, others: branches.filter((other) => other !== branch) });
  }
}

function documentsOf(list: Value): Doc[] {
  return Array.isArray(list) ? list.filter(isDocument) : [];
}
