import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const OWN = new WeakSet<object>();
const UNSEEN: unique symbol = Symbol('framework.unseen');

/** Where Node tells tools that watch of each request. */
const watched = channel('http.server.request.start');

/** Marks a layer of this package: it keeps no hold of the response, and passes it to nobody. */
export function ownLayer<F extends object>(layer: F): F {
  OWN.add(layer);
  return layer;
}

/** @returns whether a layer was marked by {@link ownLayer} */
export function isOwnLayer(layer: object): boolean {
  return OWN.has(layer);
}

/** Notes on a response whether only layers of this package have had it. */
export function setUnseen(res: object, unseen: boolean): void {
  (res as { [UNSEEN]?: boolean })[UNSEEN] = unseen;
}

/** @returns whether nobody but this package has hold of a response: no other layer, no other listener, no tool */
export function isUnseen(req: IncomingMessage, res: ServerResponse): boolean {
  if ((res as { [UNSEEN]?: boolean })[UNSEEN] !== true || res.getHeaderNames().length > 0 || watched.hasSubscribers) return false;
  // The one listener is Node's own.
  if (res.listenerCount('finish') > 1) return false;
  const { server } = req.socket as { server?: Server };
  return server?.listenerCount('request') === 1;
}
