import { identical } from '../bson/identical.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';

/** @returns what an update changed, as change streams describe it */
export function updateDescription(before: Doc, after: Doc, expanded: boolean): Doc {
  const description = { updatedFields: {} as Doc, removedFields: [] as string[], truncatedArrays: [] as Doc[] };
  const disambiguated: Doc = {};
  diffDocuments(before, after, [], description, disambiguated);
  return { ...description, ...(expanded ? { disambiguatedPaths: disambiguated } : {}) };
}

/** Names of properties as texts, positions in arrays as numbers. */
type Path = readonly (string | number)[];

type Description = { updatedFields: Doc; removedFields: string[]; truncatedArrays: Doc[] };

function diffDocuments(before: Doc, after: Doc, path: Path, out: Description, ambiguous: Doc): void {
  const note = (name: string): string => {
    const full = [...path, name];
    const text = full.join('.');
    if (full.some((part) => typeof part === 'string' && (part.includes('.') || /^\d+$/.test(part)))) ambiguous[text] = full;
    return text;
  };
  for (const name of Object.keys(after)) {
    if (!(name in before)) out.updatedFields[note(name)] = after[name];
    else diffValues(before[name], after[name], [...path, name], note(name), out, ambiguous);
  }
  for (const name of Object.keys(before)) if (!(name in after)) out.removedFields.push(note(name));
}

function diffValues(before: Value, after: Value, path: Path, text: string, out: Description, ambiguous: Doc): void {
  if (identical(before, after)) return;
  if (isDocument(before) && isDocument(after)) {
    diffDocuments(before, after, path, out, ambiguous);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length <= before.length) {
    after.forEach((value: Value, index) => {
      diffValues(before[index], value, [...path, index], `${text}.${String(index)}`, out, ambiguous);
    });
    if (after.length < before.length) out.truncatedArrays.push({ field: text, newSize: after.length });
    return;
  }
  out.updatedFields[text] = after;
}
