import originalExpress from 'express';

/** What the function `express` of the installed version has on it, beside what the callee has itself. */
type ExpressStatics = Omit<typeof originalExpress, 'prototype'>;

/** A function with the statics of Express, and with others that take the place of those. */
export type WithStatics<F, Own> = F & Readonly<Own> & Omit<ExpressStatics, keyof Own>;

/**
 * Puts what stands on the installed Express, whatever its version, on a function, and then what is our own. Hints of Express 4 for what it
 * no longer has (`express.bodyParser`) go on throwing when they are read.
 *
 * @param fn gets the properties
 * @param own take the place of Express's properties of the same name
 * @returns the function
 */
export function withStatics<F extends (...args: never[]) => unknown, Own extends object>(fn: F, own: Own): WithStatics<F, Own> {
  const descriptors = { ...Object.getOwnPropertyDescriptors(originalExpress), ...Object.getOwnPropertyDescriptors(own) };
  for (const [name, descriptor] of Object.entries(descriptors)) {
    // What each function has of itself stays.
    if (!Object.hasOwn(fn, name)) Object.defineProperty(fn, name, descriptor);
  }
  return fn as WithStatics<F, Own>;
}
