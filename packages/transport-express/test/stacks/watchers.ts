import type { RequestHandler, Response } from 'express';
import type { Random } from '@framework-internal/testing';
import onFinished from 'on-finished';
import onHeaders from 'on-headers';
import type { StackParts } from './build-stack.ts';

/** Middleware that looks at the answer in the ways that packages do: by wrapping methods of the response, or by listening. */
export function watcher(random: Random, { log, happenings }: StackParts, name: string): RequestHandler {
  const seen = (what: string, res: Response): void => {
    log([name, what, res.statusCode, res.headersSent, res.getHeaders()]);
  };
  const [feature, watch] = random.pick<readonly [string, (res: Response) => void]>([
    ['on-headers', (res) => onHeaders(res, () => res.setHeader('X-On-Headers', name))],
    ['on-finished', (res) => onFinished(res, () => seen('finished', res))],
    ['listeners', (res) => void res.on('finish', () => seen('finish', res)).on('close', () => seen('close', res))],
    ...(['writeHead', 'write', 'end', 'emit', 'json', 'send'] as const).map(
      (method) => [`patched ${method}`, (res: Response) => wrap(res, method, (what) => seen(what, res))] as const,
    ),
  ]);
  return (_req, res, next) => {
    happenings.note(feature);
    watch(res);
    next();
  };
}

function wrap(res: Response, method: 'writeHead' | 'write' | 'end' | 'emit' | 'json' | 'send', seen: (what: string) => void): void {
  const original = Reflect.get(res, method) as (...args: unknown[]) => unknown;
  const wrapped = (...args: unknown[]): unknown => {
    // Connections are told of by events of their own, in an order that is Node's.
    if (method !== 'emit' || args[0] === 'finish') seen(`${method} ${args.length} ${typeof args[0]}`);
    return Reflect.apply(original, res, args);
  };
  Reflect.set(res, method, wrapped);
}
