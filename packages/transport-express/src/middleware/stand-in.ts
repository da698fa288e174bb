import type { Answer } from '../answer/answer.ts';
import type { Request, Response } from '../middleware-types.ts';

/**
 * Tells whether an object only stands for a response: tests of applications call handlers with few methods of one. What is born of Node's responses, and what
 * imitates them whole, is none.
 */
export function isStandIn(res: object): boolean {
  return ['getHeaderNames', 'setHeader', 'removeHeader', 'writeHead'].some((name) => methodOf(res, name) === undefined);
}

/** The request of a call, which such tests leave out as well, or give without headers. */
export function requestOf(req: Partial<Request> | null | undefined): Request {
  return (req?.headers ? req : { ...req, headers: {} }) as Request;
}

/**
 * Gives an answer to what stands for a response, by the methods of Express that it has. What they throw, as the assertions of a test, goes to the caller.
 *
 * @param answer of which nothing but the head is given where it has no content
 * @returns whether there was a method that took the content
 */
export function giveToStandIn({ status, headers, content }: Answer, res: Response): boolean {
  const setStatus = methodOf(res, 'status');
  const chained: unknown = setStatus ? setStatus(status) : Reflect.set(res, 'statusCode', status);
  const setHeader = methodOf(res, 'set') ?? methodOf(res, 'setHeader') ?? methodOf(res, 'header');
  for (const { name, value } of headers) setHeader?.(name, value);
  if (content.kind !== 'value' && content.kind !== 'text') return false;
  if (content.type !== undefined) setHeader?.('Content-Type', content.type);
  // What is chained to the status may be another object.
  const take = (name: string): Method | undefined => methodOf(chained, name) ?? methodOf(res, name);
  const [json, text] = [take('json'), take('send') ?? take('end')];
  if (content.kind === 'text') text?.(content.text);
  else if (json) json(content.value);
  else text?.(JSON.stringify(content.value));
  return text !== undefined || (content.kind === 'value' && json !== undefined);
}

type Method = (...values: unknown[]) => unknown;

function methodOf(object: unknown, name: string): Method | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const method: unknown = Reflect.get(object, name);
  return typeof method === 'function' ? (...values) => Reflect.apply(method, object, values) as unknown : undefined;
}
