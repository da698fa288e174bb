import type { Response } from '../middleware-types.ts';
import type { Answer, Header } from './answer.ts';
import { isSet, joinValues } from './header-policy.ts';

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
  if (rule === 'set' || !isSet(name, res)) res.setHeader(name, value);
  else if (rule === 'add') res.setHeader(name, addTo(name.toLowerCase(), [res.getHeader(name)].flat().map(String), value));
}

/** Cookies are put behind those that are there, and so are the names in `Vary` that are new, of which `*` stands for all. */
function addTo(key: string, present: readonly string[], more: string | readonly string[]): string | string[] {
  if (key !== 'vary') return joinValues(key, present, more);
  const names = present.join(', ').split(/ *, */);
  if (names.includes('*')) return '*';
  const known = new Set(names.map((name) => name.toLowerCase()));
  const added = [more]
    .flat()
    .join(', ')
    .split(', ')
    .filter((name) => !known.has(name.toLowerCase()));
  return [...names, ...added].join(', ');
}
