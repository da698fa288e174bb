import http, { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import originalExpress from 'express';
import { setUnseen } from '../../src/dispatch/unseen.ts';
import type { Request, Response } from '../../src/middleware-types.ts';

/** A request and its response without a network, as the server of an application makes them. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** All that was sent until now: the first line, the headers and the body. */
  readonly sent: () => { readonly line: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** @param asked the request; GET without headers, where nothing else is said */
export function exchange(asked: { method?: string; headers?: Record<string, string>; settings?: object } = {}): Exchange {
  let raw = '';
  const socket = new Duplex({
    read: () => undefined,
    write(chunk, _encoding, done) {
      raw += String(chunk);
      done();
    },
  });
  const server = http.createServer(() => undefined);
  const req = new IncomingMessage(Object.assign(socket, { server }) as never);
  Object.assign(req, { method: asked.method ?? 'GET', headers: asked.headers ?? {}, httpVersionMajor: 1, httpVersionMinor: 1 });
  const res = new ServerResponse(req);
  res.assignSocket(socket as never);
  Object.setPrototypeOf(req, originalExpress.request);
  Object.setPrototypeOf(res, originalExpress.response);
  const settings: object = asked.settings ?? {};
  const app = { settings, get: (name: string): unknown => Reflect.get(settings, name) };
  Object.assign(req, { res, app });
  Object.assign(res, { app });
  setUnseen(res, true);
  return {
    req: req as Request,
    res: res as Response,
    sent: () => {
      const [head = '', ...body] = raw.split('\r\n\r\n');
      const [line = '', ...lines] = head.split('\r\n');
      const headers = lines.map((text) => text.split(': ')).map(([name = '', value = '']) => [name.toLowerCase(), value]);
      return { line, headers: Object.fromEntries(headers) as Record<string, string>, body: body.join('\r\n\r\n') };
    },
  };
}
