/**
 * @param name what was typed
 * @param names what there is
 * @returns the name that is nearest by letters changed, if any is near
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  // A distance takes time by the length of both.
  if (name.length > 40) return undefined;
  const distances = names.map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, Math.floor(best.each.length / 3)) ? best.each : undefined;
}

/** Letters added, left out or changed (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
