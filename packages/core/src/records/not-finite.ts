import { BadRequest } from '@framework/errors';
import { type Problem, MAX_PROBLEMS } from './record-rules.ts';
import { tellProblem } from './tell-problem.ts';

/**
 * The error for numbers of a caller that JSON can not give back: one that is too large for a number, as `1e400`, and `NaN`.
 *
 * @param sent what the caller has sent, which holds such a number
 * @returns a BadRequest (400) that names at most 20 places
 */
export function notFinite(sent: object): BadRequest {
  const problems: Problem[] = [];
  // What comes several times is told of where it comes first.
  const seen = new Map<object, string>([[sent, '']]);
  for (const [node, path] of seen) {
    for (const name of Object.keys(node)) {
      const value: unknown = Reflect.get(node, name);
      const place = path === '' ? name : `${path}.${name}`;
      if (typeof value === 'number' && !Number.isFinite(value)) tellProblem(problems, place, 'type', 'must be a finite number');
      else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !seen.has(value)) seen.set(value, place);
    }
    if (problems.length === MAX_PROBLEMS) break;
  }
  return new BadRequest('validation failed', { errors: problems });
}
