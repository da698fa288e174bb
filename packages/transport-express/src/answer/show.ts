import type { Response } from '../middleware-types.ts';
import type { Answer, Header } from './answer.ts';

/**
 * Puts an answer on the response, where middleware, formatters, listeners and whoever patched it find it: status, headers, and the result
 * of a service in `res.data`.
 *
 * @param res the response; what others have set there counts as each header's rule says
 * @see interface 4.1
 */
export function show({ status, headers, content }: Answer, res: Response): void {
  for (const header of headers) showHeader(header, res);
  res.statusCode = status;
  if (content.kind === 'value' && content.type === undefined) res.data = content.value;
}

function showHeader({ name, value, rule }: Header, res: Response): void {
  if (rule === 'set' || !res.hasHeader(name)) res.setHeader(name, value);
  else if (rule === 'add') res.setHeader(name, addTo(res.getHeader(name), value));
}

/** `Vary` is the one header of this package that others share. Names are put behind those that are there, and `*` stands for all. */
function addTo(present: unknown, more: string | readonly string[]): string {
  const names = [present].flat().join(', ').split(/ *, */);
  if (names.includes('*')) return '*';
  const known = new Set(names.map((name) => name.toLowerCase()));
  const added = [more]
    .flat()
    .join(', ')
    .split(', ')
    .filter((name) => !known.has(name.toLowerCase()));
  return [...names, ...added].join(', ');
}
