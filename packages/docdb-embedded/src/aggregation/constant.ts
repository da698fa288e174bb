import type { Evaluate } from './expression.ts';

const constants = new WeakSet<Evaluate>();

/** Marks an evaluation that gives the same for every document. */
export function constant(evaluate: Evaluate): Evaluate {
  constants.add(evaluate);
  return evaluate;
}

/** @returns whether it gives the same for every document */
export function isConstant(evaluate: Evaluate): boolean {
  return constants.has(evaluate);
}
