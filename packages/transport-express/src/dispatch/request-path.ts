import originalExpress from 'express';

/** The getter behind `req.path`: it reads the URL as Express's router does, and leaves what it found where the router leaves it. */
const { get: read } = Object.getOwnPropertyDescriptor(originalExpress.request, 'path') as {
  readonly get: (this: object) => unknown;
};

/**
 * The path of a request's present URL, also before the request has Express's prototype.
 *
 * @param req any request of Node
 * @returns `undefined` for a URL that can not be read
 */
export function pathOf(req: object): string | undefined {
  try {
    const path = read.call(req);
    return typeof path === 'string' ? path : undefined;
  } catch {
    return undefined;
  }
}
