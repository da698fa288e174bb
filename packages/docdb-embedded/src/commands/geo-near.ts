import { compileExpression, type ExpressionScope } from '../aggregation/expression.ts';
import { filterWith } from '../aggregation/filter-with.ts';
import type { Vars } from '../aggregation/pipeline-types.ts';
import { withMetadata } from '../aggregation/metadata.ts';
import { withNested } from '../aggregation/set-path.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, toDouble, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { isOnEarth, positionOf, readGeometry } from '../geo/geometry.ts';
import { measurer, type Near } from '../geo/near.ts';
import { isTruthy } from '../query/truthy.ts';
import type { Collection } from '../storage/collection.ts';
import type { CollectionQuery } from '../storage/find-documents.ts';
import { geoIndex, nearSearch, noPlaces } from './query-command.ts';

/** What the expressions of a stage may name, and its values. */
interface Bound {
  readonly scope: ExpressionScope;
  readonly vars: Vars;
}

/** A `$geoNear`: which documents it finds, in which order, and what it adds to them. */
export interface GeoNear {
  readonly query: CollectionQuery;
  readonly add: (doc: Doc) => Doc;
}

/**
 * Prepares a `$geoNear` that was checked.
 *
 * @throws DocDbError (2, 27, 291) for what is no place, and where no index is of places
 */
export function prepareGeoNear(spec: Doc, collection: Collection, { scope, vars }: Bound, allowDiskUse: Value): GeoNear {
  const near = nearOf(spec, collection, scope, vars);
  const measure = measurer(near);
  const filter = isDocument(spec.query) ? spec.query : {};
  const match = filterWith(filter, scope, vars);
  const factor = isNumber(spec.distanceMultiplier) ? toNumber(spec.distanceMultiplier) : 1;
  const { distanceField, includeLocs } = spec;
  const query: CollectionQuery = {
    filter,
    predicate: (doc) => match(doc) && measure(doc) !== undefined,
    score: (doc) => measure(doc)?.distance ?? Infinity,
    sort: [{ name: near.path, path: [], direction: 1, textScore: true }],
    within: nearSearch(collection, near),
    collator: scope.collator,
    skip: 0,
    limit: Infinity,
    allowDiskUse,
  };
  return {
    query,
    add(doc) {
      const found = measure(doc);
      if (!found) return doc;
      for (const path of [distanceField, includeLocs]) checkDepth(path);
      const far = typeof distanceField === 'string' ? withNested(doc, distanceField.split('.'), toDouble(found.distance * factor)) : doc;
      const placed = typeof includeLocs === 'string' ? withNested(far, includeLocs.split('.'), found.place) : far;
      return withMetadata(placed, { geoNearDistance: toDouble(found.distance * factor), geoNearPoint: found.place });
    },
  };
}

/** Levels that documents may have. */
const MOST_LEVELS = 200;

/** @throws DocDbError (5984700) for a path that would make a document too deep */
function checkDepth(path: Value): void {
  if (typeof path === 'string' && path.split('.').length >= MOST_LEVELS)
    throw new DocDbError(5984700, `a document may have ${String(MOST_LEVELS)} levels: the path of $geoNear has too many`);
}

function nearOf(spec: Doc, collection: Collection, scope: ExpressionScope, vars: Vars): Near {
  const value = (expression: Value): Value => compileExpression(expression, scope)({ root: {}, vars });
  const given = value(spec.near);
  const meters = isDocument(given) && (given.type !== undefined || 'coordinates' in given);
  const center = meters ? readGeometry(given).points[0] : positionOf(given);
  if (!center || (meters && given.type !== undefined && given.type !== 'Point') || (Array.isArray(given) && given.length > 3))
    throw badValue('$geoNear requires a point as near');
  const wanted = spec.spherical === undefined ? false : isTruthy(spec.spherical);
  const kinds = meters ? ['2dsphere'] : wanted ? ['2dsphere', '2d'] : ['2d'];
  const spherical = meters || wanted;
  const most = bound(value(spec.maxDistance), Infinity);
  const path = pathOf(spec.key, kinds, collection, { spherical, most });
  if (spherical && !isOnEarth(center)) throw badValue('near of $geoNear must have a longitude and a latitude');
  return { path, center, spherical, meters, least: bound(value(spec.minDistance), 0), most };
}

function bound(value: Value, missing: number): number {
  if (value === undefined) return missing;
  if (!isNumber(value)) throw new DocDbError(14, 'a distance of $geoNear must be a number');
  if (!(toNumber(value) >= 0)) throw badValue('a distance of $geoNear must be nonnegative');
  return toNumber(value);
}

/** The field that is searched: the one that is named, or that of the only index of places. */
function pathOf(key: Value, kinds: readonly string[], collection: Collection, near: Pick<Near, 'spherical' | 'most'>): string {
  const path = typeof key === 'string' ? key : undefined;
  if (path === undefined) {
    const fields = new Set(
      [...collection.indexes.values()].flatMap(({ geo }) => geo.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)),
    );
    if (fields.size > 1)
      throw new DocDbError(27, 'There is more than one index of places on the collection; the key of $geoNear has to say which');
    const [only] = fields;
    if (only !== undefined) return only;
    throw new DocDbError(27, '$geoNear requires a 2d or 2dsphere index, but none were found');
  }
  if (!geoIndex(collection, kinds, path)) throw noPlaces(collection, { ...near, path });
  return path;
}
