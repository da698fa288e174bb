import type { Request, Response } from 'express';

/** What Express documents of a request and its response, as a layer sees it. */
export function snapshot(req: Request, res: Response): Record<string, unknown> {
  // Express's types leave out the prototypes that each application has.
  const app = req.app as typeof req.app & { request: object; response: object };
  const facts = res as unknown as { req: unknown; locals: object; headersSent: boolean };
  return {
    method: req.method,
    url: req.url,
    originalUrl: req.originalUrl,
    parsed: (req as { _parsedUrl?: { _raw?: string; pathname?: string } })._parsedUrl?.pathname,
    baseUrl: req.baseUrl,
    path: attempt(() => req.path),
    mountpath: app.mountpath,
    query: attempt(() => req.query),
    params: req.params,
    route: (req.route as { path?: unknown } | undefined)?.path,
    body: req.body as unknown,
    hostname: req.hostname,
    ip: req.ip,
    ips: req.ips,
    protocol: req.protocol,
    secure: req.secure,
    subdomains: req.subdomains,
    xhr: req.xhr,
    fresh: req.fresh,
    accepts: req.accepts(['json', 'html']),
    is: req.is('json'),
    next: typeof req.next,
    linked: req.res === res && facts.req === req && res.app === app,
    prototypes: Object.getPrototypeOf(req) === app.request && Object.getPrototypeOf(res) === app.response,
    locals: [Object.getPrototypeOf(facts.locals) === null, { ...facts.locals }],
    own: Object.keys(req.params ?? {}),
    headersSent: facts.headersSent,
    statusCode: res.statusCode,
    headers: res.getHeaders(),
  };
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return `thrown: ${String(error)}`;
  }
}
