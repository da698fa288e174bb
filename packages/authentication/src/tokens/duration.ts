const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|msecs?|milliseconds?)$/, 0.001],
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3600],
  [/^(d|days?)$/, 86_400],
  [/^(w|weeks?)$/, 604_800],
  [/^(y|yrs?|years?)$/, 31_557_600],
];

/**
 * Reads a length of time.
 *
 * @param value seconds, or a text such as `90s`, `15 minutes`, `1d`
 * @returns whole seconds
 * @throws Error for anything else, and for a text without a unit: other libraries take it for milliseconds, and whoever writes `3600` means seconds
 */
export function seconds(value: string | number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return Math.floor(value);
  const match = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim());
  const unit = match?.[2]?.toLowerCase() ?? '';
  if (match && unit === '')
    throw new Error(`'${String(value)}' has no unit. Use a number of seconds, or a text such as '${String(match[1])}s'`);
  const factor = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
  if (!match || factor === undefined)
    throw new Error(`'${String(value)}' is no length of time. Use seconds, or a text such as '1d' or '15 minutes'`);
  return Math.floor(Number(match[1]) * factor);
}
