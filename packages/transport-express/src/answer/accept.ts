/** How much a client wants a type, from its `Accept` header (RFC 9110, 12.5.1). */
export interface Wish {
  /** 0 (not at all) to 1. */
  readonly quality: number;
  /** 3 for the type itself, 2 for another of its family (`application/x+json`), 1 for `type/*`, 0 for everything or no header. */
  readonly precision: number;
  /** Place in the header. */
  readonly position: number;
}

/**
 * How much a client wants a type. The most precise part of the header counts, as for Express.
 *
 * @param accept the header; `undefined` takes everything
 * @param type for example `text/html`
 * @param family ending of types that are understood as well, for example `+json`
 */
export function wishFor(accept: string | undefined, type: string, family?: string): Wish {
  if (accept === undefined) return ANYTHING;
  let best: Wish | undefined;
  const [main = ''] = type.split('/', 1);
  for (const [position, part] of accept.split(',').entries()) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const precision = precisionOf(range, type, `${main}/*`, family);
    if (precision < 0 || (best !== undefined && precision <= best.precision)) continue;
    best = { quality: qualityOf(parameters), precision, position };
  }
  return best ?? NOTHING_OF_IT;
}

/** Whether a client would rather have the first of two types; no for both alike. */
export function isPreferred(one: Wish, other: Wish): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality;
  if (one.quality === 0) return false;
  const [named, otherNamed] = [one.precision >= 2, other.precision >= 2];
  if (named !== otherNamed) return named;
  return named && one.position < other.position;
}

const ANYTHING: Wish = Object.freeze({ quality: 1, precision: 0, position: 0 });
const NOTHING_OF_IT: Wish = Object.freeze({ quality: 0, precision: 0, position: 0 });

function precisionOf(range: string, type: string, anyOfMain: string, family: string | undefined): number {
  if (range === type) return 3;
  if (family !== undefined && range.endsWith(family)) return 2;
  if (range === anyOfMain) return 1;
  return range === '*/*' ? 0 : -1;
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    if (!parameter.startsWith('q=')) continue;
    const quality = Number.parseFloat(parameter.slice(2));
    return Number.isNaN(quality) ? 0 : Math.min(1, Math.max(0, quality));
  }
  return 1;
}
