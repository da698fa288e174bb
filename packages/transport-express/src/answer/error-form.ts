import { isPreferred, wishFor } from './accept.ts';

/** Forms of an error answer. */
export type ErrorForm = 'html' | 'json' | 'problem';

/** The headers of a request that decide the form. */
export interface ErrorAsking {
  readonly accept?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

/**
 * The form of an error answer: JSON when `Accept` asks for it, or for a stream of events, more than for HTML, or when the request itself came
 * as JSON; problem details when they are named and wanted no less than JSON; else HTML.
 *
 * @param headers of the request
 * @param html whether the application answers with HTML at all
 * @see interface 7, decisions: error handler
 */
export function errorForm({ accept, 'content-type': type }: ErrorAsking, html: boolean): ErrorForm {
  if (accept === 'application/json') return 'json';
  const [json, problem, markup] = [
    wishFor(accept, 'application/json'),
    wishFor(accept, 'application/problem+json'),
    wishFor(accept, 'text/html'),
  ];
  if (html) {
    // What reads streams of events, and can tell pages from data, is a program.
    const programs = [json, problem, wishFor(accept, 'application/json', 'json'), wishFor(accept, 'text/event-stream')];
    const asked = programs.some((wish) => isPreferred(wish, markup));
    const refused = json.quality === 0 && accept?.includes('json') === true;
    if (!asked && !(type?.includes('json') === true && !refused)) return 'html';
  }
  return problem.precision === 3 && problem.quality > 0 && problem.quality >= json.quality ? 'problem' : 'json';
}
