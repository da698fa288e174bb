import { createHash } from 'node:crypto';
import type { StackRouter } from './express-internals.ts';

/** What the versions of Express's router do differently with layers that stand at a path. */
export interface RouterRules {
  /** What may follow the part of the path that a layer took. */
  readonly separators: string;
  /** A slash that was put in front of the rest of a URL is always taken away again, or only where the layer left the URL as it was. */
  readonly takesSlashBack: 'always' | 'unless rewritten';
}

const EXPRESS_4: RouterRules = { separators: '/.', takesSlashBack: 'always' };
const ROUTER_2_0: RouterRules = { separators: '/', takesSlashBack: 'always' };
const ROUTER_2_3: RouterRules = { separators: '/', takesSlashBack: 'unless rewritten' };

/** `handle` of routers, by the digest of its source text. */
const HANDLES: ReadonlyMap<string, RouterRules> = new Map([
  // Express 4.18.0, then 4.18.1 to 4.22
  ['f3b32652f1741891', EXPRESS_4],
  ['2cef96a148195e38', EXPRESS_4],
  // router 2.0 and 2.1, then 2.2, then 2.3
  ['46f8041cfa07d382', ROUTER_2_0],
  ['6b3d87abe5dc1194', ROUTER_2_0],
  ['b709c2a09bc2743d', ROUTER_2_3],
]);

/** Other functions of Express that a request passes through, or its answer. */
const OTHERS: ReadonlySet<string> = new Set([
  // application.handle of Express 4, 5.0, 5.1 to 5.3
  'edfe2b07f229e922',
  '513dab4872b7f99f',
  'cb0794cf3aed8591',
  // process_params of Express 4
  '5b580422814d1b73',
  // Layer's handle_request of Express 4, handleRequest of router 2.0, 2.2 and 2.3
  'be4223fe731bf27b',
  'f236b70dd4bdc943',
  'a89cb1db94c8ccbf',
  'bd21087889ea9a61',
  // format of responses
  'd7f9038e22e70748',
]);

/**
 * Remembers what was decided of each function: requests pass the same few again and again.
 *
 * @param decide decides of a function that was not asked about before
 */
function ofEach<T>(decide: (digest: string) => T): (fn: object) => T {
  const decided = new WeakMap<object, { readonly verdict: T }>();
  return (fn) => {
    let known = decided.get(fn);
    if (known === undefined) {
      known = { verdict: decide(digestOf(fn)) };
      decided.set(fn, known);
    }
    return known.verdict;
  };
}

function digestOf(fn: object): string {
  return createHash('sha256').update(Function.prototype.toString.call(fn)).digest('hex').slice(0, 16);
}

const isAmongOthers = ofEach((digest) => OTHERS.has(digest));
const rulesOfHandle = ofEach((digest) => HANDLES.get(digest));

/**
 * Tells whether a function is Express's own, in a version that was looked at; not for one that somebody has wrapped or replaced.
 *
 * @param fn a function that a request passes through, or its answer
 */
export function isExpressOwn(fn: object | undefined): boolean {
  return fn !== undefined && isAmongOthers(fn);
}

/**
 * The rules of a router.
 *
 * @param router any router of Express
 * @returns `undefined` when somebody has wrapped or replaced its functions, and for a version that nobody has looked at
 */
export function rulesOf(router: Pick<StackRouter, 'handle' | 'process_params'>): RouterRules | undefined {
  if (router.process_params !== undefined && !isExpressOwn(router.process_params)) return undefined;
  return rulesOfHandle(router.handle);
}
