import { BadRequest } from '@framework/errors';
import { type Problem, MAX_PROBLEMS } from './record-rules.ts';
import { tellProblem } from './tell-problem.ts';

/**
 * Whether what JSON can say comes back from JSON and from a store as it was. A number that is too large for one (`1e400`) and `NaN` come back as
 * `null`, and half of a surrogate pair, which has no UTF-8, as another character.
 *
 * @param value a name or a value; what is in an object or a list is not looked at
 */
export function isKept(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'number' || Number.isFinite(value);
}

/**
 * The error for what a caller has sent that would not be kept as it is.
 *
 * @param sent what the caller has sent, which is or holds such a value or such a name of a property
 * @returns a BadRequest (400) that names at most 20 places
 * @see isKept
 */
export function notKept(sent: unknown): BadRequest {
  const problems: Problem[] = [];
  // What comes several times is told of where it comes first.
  const seen = new Map<object, string>();
  look(sent, '');
  for (const [node, path] of seen) {
    for (const name of Object.keys(node)) {
      const place = path === '' ? name : `${path}.${name}`;
      if (!isKept(name)) tellProblem(problems, place, 'type', 'must have a name of whole characters: it has half of a surrogate pair');
      look(Reflect.get(node, name), place);
    }
    if (problems.length === MAX_PROBLEMS) break;
  }
  return new BadRequest('validation failed', { errors: problems });

  function look(value: unknown, place: string): void {
    if (typeof value === 'object' && value !== null) {
      if (!ArrayBuffer.isView(value) && !seen.has(value)) seen.set(value, place);
    } else if (!isKept(value)) {
      tellProblem(
        problems,
        place,
        'type',
        typeof value === 'number' ? 'must be a finite number' : 'must be text of whole characters: it has half of a surrogate pair',
      );
    }
  }
}
