import { identical } from '../bson/identical.ts';
import { type Doc, isDocument, setOwn, type Value } from '../bson/values.ts';
import { readPath } from '../query/path-values.ts';

/**
 * What an update changed, as change streams describe it.
 *
 * @param paths what its operators may have changed; without them the documents are compared
 */
export function updateDescription(before: Doc, after: Doc, paths: readonly string[] | undefined, expanded: boolean): Doc {
  const description: Description = { updatedFields: {}, removedFields: [], truncatedArrays: [], disambiguatedPaths: {} };
  if (paths) for (const path of paths) describePath(before, after, path.split('.'), description);
  else diffDocuments(before, after, [], description);
  const { disambiguatedPaths, ...shown } = description;
  return expanded ? { ...shown, disambiguatedPaths } : shown;
}

/** Names of properties as texts, positions in arrays as numbers. */
type Path = readonly (string | number)[];

interface Description {
  readonly updatedFields: Doc;
  readonly removedFields: string[];
  readonly truncatedArrays: Doc[];
  /** The parts of those paths that can be read in another way. */
  readonly disambiguatedPaths: Doc;
}

/** @returns a path that is described, as a text */
function described(path: Path, { disambiguatedPaths }: Description): string {
  const text = path.join('.');
  const isAmbiguous = path.some((part) => typeof part === 'string' && (part.includes('.') || /^\d+$/.test(part)));
  if (isAmbiguous) setOwn(disambiguatedPaths, text, path);
  return text;
}

/** The whole value at a path, or where the way to it begins that was not there before. */
function describePath(before: Doc, after: Doc, names: readonly string[], out: Description): void {
  const path: (string | number)[] = [];
  let [old, present]: Value[] = [before, after];
  for (const name of names) {
    path.push(Array.isArray(present) ? Number(name) : name);
    [old, present] = [readPath(old, [name]), readPath(present, [name])];
    if (old === undefined || present === undefined) break;
  }
  if (present !== undefined && (old === undefined || !identical(old, present))) setOwn(out.updatedFields, described(path, out), present);
  if (present === undefined && old !== undefined) out.removedFields.push(described(path, out));
}

function diffDocuments(before: Doc, after: Doc, path: Path, out: Description): void {
  for (const name of Object.keys(after)) {
    const full = [...path, name];
    if (Object.hasOwn(before, name)) diffValues(before[name], after[name], full, out);
    else setOwn(out.updatedFields, described(full, out), after[name]);
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) out.removedFields.push(described([...path, name], out));
}

function diffValues(before: Value, after: Value, path: Path, out: Description): void {
  if (identical(before, after)) return;
  if (isDocument(before) && isDocument(after)) {
    diffDocuments(before, after, path, out);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length <= before.length) {
    after.forEach((value: Value, index) => {
      diffValues(before[index], value, [...path, index], out);
    });
    if (after.length < before.length) out.truncatedArrays.push({ field: described(path, out), newSize: after.length });
    return;
  }
  setOwn(out.updatedFields, described(path, out), after);
}
