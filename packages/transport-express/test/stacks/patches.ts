import type { Random } from '@framework-internal/testing';
import type { StackParts } from './build-stack.ts';

type Methods = Record<string, unknown>;

/** When tools wrap what they trace: before the application is made, before the first request, or between two requests. */
export type Moment = 'before' | 'built' | 'running';

/** A wrapped function of Express, as agents that measure wrap them. */
export interface Patch {
  readonly feature: string;
  readonly moment: Moment;
  apply(): void;
  restore(): void;
}

/** One application in three meets a tool. */
export function patchOf(random: Random, { express, version, log }: StackParts): Patch | undefined {
  if (!random.oneIn(3)) return undefined;
  const { Router, application, Route } = express as unknown as {
    Router: (() => { use(fn: () => void): { stack: object[] } }) & { prototype: Methods } & Methods;
    application: Methods;
    Route: { prototype: Methods };
  };
  const routers = version === 5 ? Router.prototype : Router;
  const layers = Object.getPrototypeOf(Router().use(() => undefined).stack[0]) as Methods;
  const [target, name, feature] = random.pick([
    [application, 'handle', 'patched application'],
    [routers, 'handle', 'patched router'],
    [layers, version === 5 ? 'handleRequest' : 'handle_request', 'patched layer'],
    [layers, version === 5 ? 'handleError' : 'handle_error', 'patched layer'],
    [layers, 'match', 'patched layer'],
    [Route.prototype, version === 5 ? '_handlesMethod' : '_handles_method', 'patched route'],
    [Route.prototype, 'dispatch', 'patched route'],
    ...(version === 4 ? ([[routers, 'process_params', 'patched router']] as const) : []),
  ] as const);
  const original = target[name] as (...args: unknown[]) => unknown;
  return {
    feature,
    moment: random.pick(['before', 'built', 'running'] as const),
    apply() {
      target[name] = function (this: unknown, ...args: unknown[]) {
        log([feature, name, args.length]);
        return Reflect.apply(original, this, args);
      };
      // Express tells handlers apart by their length; the wrappers of agents keep it.
      Object.defineProperty(target[name], 'length', { value: original.length });
    },
    restore() {
      target[name] = original;
    },
  };
}
