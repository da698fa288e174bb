/** Takes back what a step has done. */
export type Undo = () => void;

/**
 * Does several things or none: when one of them throws, those before it are taken back, the last one first.
 *
 * @param steps each does its part and returns what takes it back
 * @returns takes all of it back
 * @throws what a step has thrown, once all is as it was before
 */
export function allOrNothing(steps: Iterable<() => Undo>): Undo {
  const undone: Undo[] = [];
  const undoAll = (): void => {
    for (let undo = undone.pop(); undo; undo = undone.pop()) undo();
  };
  try {
    for (const step of steps) undone.push(step());
  } catch (error) {
    undoAll();
    throw error;
  }
  return undoAll;
}
