import type { ServerResponse } from 'node:http';

const OWN = new WeakSet<object>();
const UNSEEN: unique symbol = Symbol('framework.unseen');

/** Marks a layer or a listener of this package: it keeps no hold of the response, and passes it to nobody. */
export function ownLayer<F extends object>(layer: F): F {
  OWN.add(layer);
  return layer;
}

/** @returns whether a layer or a listener was marked by {@link ownLayer} */
export function isOwnLayer(layer: object): boolean {
  return OWN.has(layer);
}

/** Notes on a response whether only layers of this package have had it. */
export function setUnseen(res: object, unseen: boolean): void {
  (res as { [UNSEEN]?: boolean })[UNSEEN] = unseen;
}

/** @returns what {@link setUnseen} has noted: one of the things by which `answer/watched.ts` decides who may look */
export function isUnseen(res: ServerResponse): boolean {
  return (res as { [UNSEEN]?: boolean })[UNSEEN] === true;
}
