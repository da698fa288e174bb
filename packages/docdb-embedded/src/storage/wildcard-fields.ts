import { type Doc, isDocument } from '../bson/values.ts';
import { projectedPaths } from '../declarations/wildcard-projection.ts';

/** @returns whether an index is of all fields, or of all below one */
export function isWildcard(key: Doc): boolean {
  return Object.keys(key).some((name) => name === '$**' || name.endsWith('.$**'));
}

/** @returns what tells whether an index of all fields has the values of a path, in a time that does not grow with what is listed */
export function pathsInWildcard({ key, wildcardProjection }: Doc): (path: string) => boolean {
  const names = new Set(Object.keys(key as Doc));
  const parent = [...names].find((name) => name.endsWith('.$**'))?.slice(0, -'.$**'.length);
  if (parent !== undefined) {
    const under = anyOf([parent]);
    return (path) => under(path) || names.has(path);
  }
  const isId = anyOf(['_id']);
  if (!isDocument(wildcardProjection)) return (path) => !isId(path);
  const paths = projectedPaths(wildcardProjection);
  const hasId = paths.get('_id') === true;
  paths.delete('_id');
  const includes = [...paths.values()].includes(true);
  const isListed = anyOf([...paths.keys()]);
  return (path) => (isId(path) ? hasId : isListed(path) === includes || names.has(path));
}

/** @returns what tells whether a path is one of these, or below one */
function anyOf(parents: readonly string[]): (path: string) => boolean {
  const known = new Set(parents);
  return (path) => {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) if (known.has(path.slice(0, dot))) return true;
    return known.has(path);
  };
}
