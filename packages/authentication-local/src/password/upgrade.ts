/** Marks the parameters of a call that stores a hash that was made already; hashing hooks let it pass. */
export const HASHED: unique symbol = Symbol.for('@framework/authentication-local/hashed') as never;

/** @returns whether a call stores a hash that was made already; only code on the server can say so */
export function isHashed(params: unknown): boolean {
  return typeof params === 'object' && params !== null && (params as Record<symbol, unknown>)[HASHED] === true;
}
