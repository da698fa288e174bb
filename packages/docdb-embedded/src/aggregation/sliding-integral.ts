import { add, divide, multiply, type Numeric, toNumber } from '../bson/arithmetic.ts';
import { isNumber, toDouble, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { difference } from './operators/arithmetic.ts';
import { isFiniteNumber, NonFinite, type SlidingStatistic, SlidingSum } from './sliding-statistics.ts';

/** A value at a place of the order. */
export type Point = readonly [place: Value, value: Value];

/** The area under the points of a window, of each two of them the mean times their distance. */
export class SlidingIntegral implements SlidingStatistic<Point> {
  readonly #unit: number | undefined;
  #points: Point[] = [];
  /** How many of the points have left. */
  #gone = 0;
  #notNumbers = 0;
  #area = new SlidingSum();
  readonly #nonFinite = new NonFinite();

  /** @param unit milliseconds of the unit that dates are told in */
  constructor(unit: number | undefined) {
    this.#unit = unit;
  }

  add(point: Point): void {
    this.#check(point);
    const last = this.#points.length > this.#gone ? this.#points.at(-1) : undefined;
    if (isNotNumber(point)) this.#notNumbers += 1;
    if (last) this.#change(areaBetween(last, point), 1);
    this.#points.push(point);
  }

  remove(point: Point): void {
    if (isNotNumber(point)) this.#notNumbers -= 1;
    this.#gone += 1;
    const next = this.#points[this.#gone];
    if (next) this.#change(areaBetween(point, next), -1);
    else [this.#points, this.#gone, this.#area] = [[], 0, new SlidingSum()];
  }

  result(): Value {
    const count = this.#points.length - this.#gone;
    if (count === 0) return null;
    if (this.#notNumbers > 0) return toDouble(Number.NaN);
    const whole = this.#nonFinite.some ? toDouble(this.#nonFinite.total()) : this.#area.total();
    const area = count === 1 ? 0 : whole;
    return this.#unit === undefined ? area : divide(area, this.#unit);
  }

  #change(area: Numeric, by: 1 | -1): void {
    if (isFiniteNumber(area)) this.#area.change(area, by);
    else this.#nonFinite.change(toNumber(area), by);
  }

  #check([place, value]: Point): void {
    if (!isNumber(value) || !(isNumber(place) || place instanceof Date))
      throw new DocDbError(5423900, '$integral needs numbers, and dates or numbers to sort by');
    if (this.#unit !== undefined && isNumber(place))
      throw new DocDbError(5423901, "$integral with 'unit' expects the sortBy field to be a Date");
    if (this.#unit === undefined && !isNumber(place))
      throw new DocDbError(5423902, "$integral (with no 'unit') expects the sortBy field to be numeric");
  }
}

function isNotNumber(point: Point): boolean {
  return point.some((value) => isNumber(value) && Number.isNaN(toNumber(value)));
}

function areaBetween(from: Point, to: Point): Numeric {
  if (isNotNumber(from) || isNotNumber(to)) return 0;
  const width = difference([to[0], from[0]]) as Numeric;
  return divide(multiply(add(to[1] as Numeric, from[1] as Numeric), width), 2);
}
