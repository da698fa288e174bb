import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceLookup } from '@framework/core';

/** Applications of which nothing is to be said: a transport answers for their services, or it was said. */
const silent = new WeakSet<object>();

/** Notes that a transport answers requests for the services of an application. */
export function answersServices(app: object): void {
  silent.add(app);
}

/**
 * Watches a request of an application that no transport answers services of: a 404 where a service is tells nobody what is missing. An application
 * may do without, for services that only its own code or sockets call; nothing is said then before somebody asks.
 *
 * @param app an Express application that is a service application too
 */
export function watchUnmapped(app: object, req: IncomingMessage, res: ServerResponse): void {
  if (silent.has(app)) return;
  // Below a mount, Express cuts the path, and puts it back when the mounted application is done.
  const path = req.url?.split('?', 1)[0] ?? '';
  res.once('finish', () => {
    const found = res.statusCode === 404 ? lookup(app, path) : null;
    if (found === null || silent.has(app)) return;
    silent.add(app);
    process.emitWarning(
      `${String(req.method)} ${path} was answered with 404, and there is a service '${found.path}': no transport answers requests for services. ` +
        'Add app.configure(rest())',
      { code: 'NO_REST' },
    );
  });
}

function lookup(app: object, path: string): ServiceLookup | null {
  try {
    return (app as { lookup(path: string): ServiceLookup | null }).lookup(path);
  } catch {
    // Percent-encoding that is none leads to no service.
    return null;
  }
}
