import { fieldsOf } from '../fields.ts';
import type { ClientAroundHook, ClientContext, ClientHookMap } from './hook-types.ts';

const KINDS = ['around', 'before', 'after', 'error'] as const;
type Kind = (typeof KINDS)[number];

/** Any hook: those of other kinds leave `next` out. */
interface Hook {
  readonly kind: string;
  readonly method: string;
  readonly run: ClientAroundHook;
}

/** Hooks in the order in which they were added. */
export type HookList = Hook[];

/**
 * Adds hooks to a list.
 *
 * @throws TypeError for a kind that there is not, and for what is no function
 */
export function addHooks(list: HookList, map: ClientHookMap): void {
  const byKind = KINDS.some((kind) => kind in map) ? map : { around: map };
  for (const [kind, hooks] of Object.entries<unknown>(byKind)) {
    const byMethod = typeof hooks === 'function' || Array.isArray(hooks) ? { all: hooks as unknown } : fieldsOf(hooks);
    for (const [method, given] of Object.entries({ all: [], ...byMethod })) {
      for (const run of [given ?? []].flat()) {
        if (typeof run !== 'function' || !KINDS.includes(kind as Kind)) throw new TypeError(`'${kind}.${method}' is no hook`);
        list.push({ kind, method, run });
      }
    }
  }
}

type Layer = (context: ClientContext, next: () => Promise<void>) => Promise<void>;

/** The hooks of a method as layers around it, outermost first. */
function layersOf(list: HookList, context: ClientContext): Layer[] {
  const of = (kind: Kind): Layer[] =>
    list
      .filter((hook) => hook.kind === kind && (hook.method === 'all' || hook.method === context.method))
      .map(({ run }) => async (_, next) => {
        context.type = kind;
        const given = await run(context, next);
        if (kind !== 'around' && given !== context) Object.assign(context, given);
      });
  const inTurn = async (kind: Kind): Promise<void> => {
    for (const hook of of(kind)) await hook(context, async () => undefined);
  };
  const regular: Layer = async (_, next) => {
    try {
      await inTurn('before');
      await next();
      await inTurn('after');
    } catch (error) {
      context.error = error;
      delete context.result;
      await inTurn('error');
      if (context.result === undefined) throw context.error;
    }
  };
  return [...of('around'), regular];
}

/**
 * Runs a call with the hooks around it.
 *
 * @param lists of the client, then of the service
 * @param call makes the call, and puts its result into the context
 */
export async function runHooks(lists: readonly HookList[], context: ClientContext, call: () => Promise<void>): Promise<unknown> {
  const layers = lists.flatMap((list) => layersOf(list, context));
  // Whoever has the result already needs no call.
  const first = async (): Promise<void> => {
    if (context.result === undefined) await call();
  };
  await layers.reduceRight<() => Promise<void>>((next, layer) => () => layer(context, next), first)();
  return context.result;
}
