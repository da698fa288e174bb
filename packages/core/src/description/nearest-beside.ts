/**
 * Of the services of several applications that lie in each other, finds the one that is asked where a service names none: its own application has that beside it.
 *
 * @param paths of those that may be meant, as the outermost application has them
 * @param path of the service
 * @returns `undefined` where there are none
 */
export function nearestBeside(paths: readonly string[], path: string): string | undefined {
  const parts = path.split('/');
  /** How many parts lead to where both lie. */
  const nearness = (other: string): number => {
    const around = other.split('/').slice(0, -1);
    const end = parts.findIndex((part, at) => part !== around[at]);
    return end < 0 ? parts.length : end;
  };
  return [...paths].sort((one, other) => nearness(other) - nearness(one) || one.length - other.length)[0];
}
