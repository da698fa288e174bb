/**
 * Does several things, one after the other. What fails keeps none of the others from being done.
 *
 * @throws the error of what has failed, or an AggregateError of several, once all is done
 */
export async function eachToItsEnd(works: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) return;
  throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map(String).join('; '));
}
