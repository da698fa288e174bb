import { toNumber } from '../bson/arithmetic.ts';
import { shownValue } from '../bson/shown-value.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { cellsOf } from '../geo/cells.ts';
import { shapeOf } from '../geo/geo-tests.ts';
import { geometryOf, positionOf } from '../geo/geometry.ts';
import { pathValues } from '../query/path-values.ts';

/** A field of an index that holds places. */
export interface GeoField {
  readonly name: string;
  readonly path: readonly string[];
  readonly kind: '2d' | '2dsphere';
  /** The least and the greatest coordinate of a plane. */
  readonly low: number;
  readonly high: number;
}

/** @returns the fields of an index that hold places */
export function geoFields(key: Doc, spec: Doc): readonly GeoField[] {
  const bound = (value: Value, missing: number): number => (isNumber(value) ? toNumber(value) : missing);
  return Object.keys(key).flatMap((name): GeoField[] => {
    const kind = key[name];
    if (kind !== '2d' && kind !== '2dsphere') return [];
    return [{ name, path: name.split('.'), kind, low: bound(spec.min, -180), high: bound(spec.max, 180) }];
  });
}

/** @throws DocDbError (13026, 13027, 16755) for what is no place */
export function checkPlaces(doc: Doc, field: GeoField): void {
  for (const value of pathValues(doc, field.path)) {
    if (value === undefined || value === null || isEmpty(value)) continue;
    if (field.kind === '2dsphere') checkSphere(doc, value, field.name);
    else for (const place of Array.isArray(value) && !positionOf(value) ? (value as Value[]) : [value]) checkPlane(place, field);
  }
}

function isEmpty(value: Value): boolean {
  return Array.isArray(value) ? value.length === 0 : isDocument(value) && Object.keys(value).length === 0;
}

/** @returns the cells that a document has places in */
export function placesOf(doc: Doc, { path }: GeoField): string[] {
  const cells = pathValues(doc, path).flatMap((value) => [
    ...cellsOf(value),
    ...(Array.isArray(value) ? (value as Value[]).flatMap((element) => cellsOf(element)) : []),
  ]);
  return [...new Set(cells)];
}

function checkSphere(doc: Doc, value: Value, name: string): void {
  const geometry = geometryOf(value);
  if (geometry && shapeOf(geometry)) return;
  throw new DocDbError(16755, `Can't extract geo keys: { _id: ${shownValue(doc._id)} } has no valid geometry in the field '${name}'`);
}

function checkPlane(value: Value, { name, low, high }: GeoField): void {
  const [point] = geometryOf(value)?.points ?? [];
  if (!point) throw new DocDbError(13026, `geo values must be 'legacy coordinate pairs' for 2d indexes: ${name}`);
  if (point.some((coordinate) => coordinate < low || coordinate >= high + (high === 180 ? Number.EPSILON * 256 : 0)))
    throw new DocDbError(13027, `point not in interval of [ ${String(low)}, ${String(high)} ]`);
}
