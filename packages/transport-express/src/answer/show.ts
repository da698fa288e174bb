import type { Response } from '../middleware-types.ts';
import type { Answer, Header } from './answer.ts';

/**
 * Puts status and headers of an answer on the response, where middleware, listeners and whoever patched it find them.
 *
 * @param res the response; what others have set there counts as each header's rule says
 */
export function show({ status, headers }: Pick<Answer, 'status' | 'headers'>, res: Response): void {
  for (const header of headers) showHeader(header, res);
  res.statusCode = status;
}

function showHeader({ name, value, rule }: Header, res: Response): void {
  if (rule !== 'set' && res.hasHeader(name)) {
    // `Vary` is the one header of this package that others share.
    if (rule === 'add') res.vary(String(value));
    return;
  }
  res.setHeader(name, value);
}
