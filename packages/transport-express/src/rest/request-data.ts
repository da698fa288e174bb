import { isKept, notKept } from '@framework/core';
import { BadRequest, UnsupportedMediaType } from '@framework/errors';
import type { Request } from '../middleware-types.ts';

/** Levels of nesting that a body may have (security S12). */
export const BODY_DEPTH_LIMIT = 64;

/**
 * The data of a create, update, patch or custom call.
 *
 * @returns the parsed body, `{}` when there is none
 * @throws UnsupportedMediaType (415) when there is a body that no parser read
 * @throws BadRequest (400) for a body that is nested too deeply, has a key that would reach a prototype, or holds what no
 *   store keeps: a number that is not finite, half of a surrogate pair
 * @see security S8, S39
 */
export function requestData(req: Request): unknown {
  const body: unknown = req.body;
  if (isUnread(req, body)) {
    const type = req.headers['content-type'];
    throw new UnsupportedMediaType(
      type === undefined
        ? 'The request has a body without a Content-Type. Send application/json'
        : `The server does not read bodies of type '${type.slice(0, 100)}'. Send application/json, or register a body parser for it before the services`,
    );
  }
  if (isTree(body)) checkBody(body);
  else if (!isKept(body)) throw notKept(body);
  return body ?? {};
}

/** Objects in one level from which on it is worth while to sort out those that come twice. */
const MANY = 1000;

function isUnread(req: Request, body: unknown): boolean {
  // A parser reads the request to its end; without one the body is still to come, whatever `req.body` was set to.
  if (req.readableEnded) return false;
  if (!isEmpty(body)) return false;
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function isEmpty(body: unknown): boolean {
  if (body === undefined) return true;
  return isTree(body) && Object.keys(body).length === 0;
}

/** Bytes have no properties worth a look, and each one would count as such. */
function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function checkBody(body: object): void {
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > BODY_DEPTH_LIMIT)
      throw new BadRequest(`The body is nested too deeply: at most ${String(BODY_DEPTH_LIMIT)} levels are allowed`);
    const next: object[] = [];
    const look = (value: unknown): void => {
      if (isTree(value)) next.push(value);
      else if (!isKept(value)) throw notKept(body);
    };
    for (const node of level) {
      if (Array.isArray(node)) {
        for (const value of node as unknown[]) look(value);
      } else {
        for (const name of Object.keys(node)) {
          if (name === '__proto__') throw new BadRequest("The body has a property named '__proto__', which is not allowed");
          if (!isKept(name)) throw notKept(body);
          look(Reflect.get(node, name));
        }
      }
    }
    // Parsers of other formats may give one object many times; each is looked at once.
    level = next.length > MANY ? [...new Set(next)] : next;
  }
}
