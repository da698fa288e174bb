import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { projectedPaths } from './wildcard-projection.ts';

export function isWildcardName(name: string): boolean {
  return name === '$**' || name.endsWith('.$**');
}

function isUnder(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`);
}

function overlap(one: string, other: string): boolean {
  return isUnder(one, other) || isUnder(other, one);
}

/** @throws DocDbError (67, 7246201, 7246204) for fields that cannot be beside a wildcard */
export function checkWildcardKey(key: Doc): void {
  const names = Object.keys(key);
  const wildcards = names.filter((name) => isWildcardName(name) && key[name] !== 'text');
  if (wildcards.length > 1) throw new DocDbError(7246201, 'an index can have one wildcard');
  const [wildcard] = wildcards;
  if (wildcard === undefined) return;
  const others = names.filter((name) => name !== wildcard);
  const special = others.find((name) => typeof key[name] === 'string');
  if (special !== undefined) throw new DocDbError(67, `a wildcard can not be beside a field of the kind '${String(key[special])}'`);
  const above = wildcard === '$**' ? undefined : wildcard.slice(0, -'.$**'.length);
  if (above !== undefined && others.some((name) => overlap(name, above)))
    throw new DocDbError(7246204, `the other fields of the index may not be of those that '${wildcard}' stands for`);
}

/** @throws DocDbError (2, 9, 67, …) for options that a wildcard can not have and for a projection that does not fit */
export function checkWildcard(spec: Doc, key: Doc): void {
  const names = Object.keys(key);
  const wildcard = names.find((name) => isWildcardName(name) && key[name] !== 'text');
  const projection = spec.wildcardProjection;
  if (wildcard === undefined) {
    if (projection !== undefined) throw badValue("'wildcardProjection' is only allowed with a wildcard of all fields");
    return;
  }
  if (spec.v !== undefined && toNumber(spec.v) < 2) throw new DocDbError(67, "Index type 'wildcard' needs index version 2");
  for (const option of ['unique', 'sparse', 'expireAfterSeconds', 'prepareUnique'])
    if (spec[option] !== undefined && spec[option] !== false)
      throw new DocDbError(67, `Index type 'wildcard' does not support the '${option}' option`);
  if (projection === undefined) {
    if (names.length > 1 && wildcard === '$**')
      throw new DocDbError(67, "a wildcard of all fields beside others needs 'wildcardProjection'");
    return;
  }
  if (wildcard !== '$**') throw failedToParse("'wildcardProjection' is only allowed with a wildcard of all fields");
  if (!isDocument(projection) || Object.keys(projection).length === 0) throw failedToParse("'wildcardProjection' may not be empty");
  const others = names.filter((name) => name !== '$**');
  const paths = pathsOf(projection, others.length === 0 ? SINGLE : COMPOUND);
  if (others.length > 0) checkOthers(others, paths);
}

interface Codes {
  readonly collision: number;
  readonly mixed: number;
}

const SINGLE: Codes = { collision: 31249, mixed: 31254 };
const COMPOUND: Codes = { collision: 7246200, mixed: 7246211 };

type Paths = ReadonlyMap<string, boolean>;

function pathsOf(projection: Doc, codes: Codes): Paths {
  checkFields(projection, '', codes);
  const paths = projectedPaths(projection);
  if (new Set(besideId(paths).map(([, on]) => on)).size > 1)
    throw new DocDbError(codes.mixed, 'Cannot do exclusion in inclusion projection');
  return paths;
}

function checkFields(projection: Doc, prefix: string, codes: Codes): void {
  for (const name of Object.keys(projection)) {
    const value = projection[name];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      if (Object.hasOwn(projection, name.slice(0, dot)))
        throw new DocDbError(codes.collision, `Path collision at ${prefix}${name} remaining portion ${name.slice(dot + 1)}`);
    const nested = isDocument(value) ? Object.keys(value) : undefined;
    if (nested?.length === 0) throw new DocDbError(51270, `An empty sub-projection is not a valid value: ${prefix}${name}`);
    if (nested ? nested[0]?.startsWith('$') : typeof value !== 'boolean' && !isNumber(value))
      throw new DocDbError(51271, `Bad projection specification, cannot use computed fields: ${prefix}${name}`);
    if (isDocument(value)) checkFields(value, `${prefix}${name}.`, codes);
  }
}

function besideId(paths: Paths): (readonly [string, boolean])[] {
  return [...paths].filter(([path]) => path !== '_id');
}

/** Fields beside a wildcard are in the index once: what includes names none of them, what excludes names all of them. */
function checkOthers(others: readonly string[], paths: Paths): void {
  const [first] = besideId(paths);
  const includes = first === undefined ? paths.get('_id') === true : first[1];
  const named = [...paths].filter(([, on]) => on === includes).map(([path]) => path);
  for (const other of others.toSorted()) {
    if (includes) {
      if (named.some((path) => overlap(path, other)))
        throw new DocDbError(7246208, `'wildcardProjection' may not include '${other}', which is a field of the index`);
    } else if (!named.some((path) => isUnder(other, path))) {
      // MongoDB goes through both lists in order: the code says whether its search ended before or at the end of what is excluded.
      const code = named.some((path) => path > other) ? 7246209 : 7246210;
      throw new DocDbError(code, `'wildcardProjection' must exclude '${other}', which is a field of the index`);
    }
  }
}
