import { copyParams, type HookContext, type NextFunction, type Params } from '@framework/core';
import { MethodNotAllowed } from '@framework/errors';

/** What a service of a flow answers beside its result. */
export interface FlowAnswer {
  /** Where the browser goes. */
  readonly location?: string | undefined;
  readonly cookies?: readonly string[];
  readonly status?: number;
}

/** Carries the answer from the service to the hook around it, also of one that fails. */
const ANSWER: unique symbol = Symbol('framework.flow-answer');

/** Notes what to answer. */
export type Answering = (answer: FlowAnswer) => void;

/** @returns what notes the answer of a call; nothing for a call without the hook */
export function answering(params: Params): Answering {
  const given: unknown = Reflect.get(params, ANSWER);
  return isAnswering(given) ? given : () => undefined;
}

function isAnswering(value: unknown): value is Answering {
  return typeof value === 'function';
}

/** What every answer of a flow has: it is for one browser and one time, tells no other page where it was, and is in no frame. */
export const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "frame-ancestors 'none'",
} as const;

/**
 * Around hook of the services of a flow: HTTP alone, with the headers that such answers need.
 *
 * @throws MethodNotAllowed (405) over a socket, which has no cookies
 */
export async function answerFlow(context: HookContext, next: NextFunction): Promise<void> {
  const { provider } = context.params;
  if (provider !== undefined && provider !== 'rest') throw new MethodNotAllowed('Logins at providers begin and end with a browser');
  let answer: FlowAnswer = {};
  context.params = copyParams(context.params, {
    [ANSWER]: (given: FlowAnswer) => {
      answer = { ...answer, ...given, cookies: [...(answer.cookies ?? []), ...(given.cookies ?? [])] };
    },
  });
  await next();
  const { location, cookies = [], status } = answer;
  const { 'Set-Cookie': others = [], ...headers } = context.http.headers ?? {};
  const all = [others, cookies].flat();
  context.http.headers = { ...headers, ...HEADERS, ...(all.length > 0 ? { 'Set-Cookie': all } : {}) };
  if (location !== undefined) context.http.location = location;
  if (status !== undefined) context.http.status = status;
}
