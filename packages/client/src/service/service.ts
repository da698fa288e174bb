import type { QueuedEvent } from '../events/event-queue.ts';
import type { Events } from '../events/events.ts';
import { addHooks, type HookList } from '../hooks/hook-list.ts';
import type { ClientHookMap } from '../hooks/hook-types.ts';
import { need } from '../need.ts';
import type { CallArguments, CallParams, NullableId } from '../transport.ts';

/** What a service needs of its client. */
export interface ServiceHost {
  readonly call: (method: string, args: CallArguments) => Promise<unknown>;
  readonly events: () => Events | undefined;
  readonly hooks: HookList;
}

type AnyListener = (data: unknown) => unknown;

/** A service without types. */
export interface AnyService {
  find(params?: CallParams): Promise<unknown>;
  get(id: NullableId, params?: CallParams): Promise<unknown>;
  create(data: unknown, params?: CallParams): Promise<unknown>;
  update(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  patch(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  remove(id: NullableId, params?: CallParams): Promise<unknown>;
  on(event: string, listener: AnyListener): AnyService;
  once(event: string, listener: AnyListener): AnyService;
  off(event: string, listener?: AnyListener): AnyService;
  events(options?: { readonly signal?: AbortSignal; readonly buffer?: number }): AsyncGenerator<QueuedEvent, void, undefined>;
  hooks(map: ClientHookMap): AnyService;
}

/**
 * A service of the client. Any name is a method, which takes data and parameters: which ones there are the types know, and the server.
 *
 * @param path without outer slashes
 */
export function serviceOf(path: string, { call, events, hooks }: ServiceHost): AnyService {
  const tools: Pick<AnyService, 'hooks'> = {
    hooks(map) {
      addHooks(hooks, map);
      return service;
    },
  };
  const service = new Proxy(tools, {
    get(target, name) {
      // Nobody waits for a service, and nobody writes it as JSON.
      if (typeof name === 'symbol' || name in target || /^(then|toJSON)$/.test(name)) return Reflect.get(target, name) as unknown;
      if (/^(on|once|off|events)$/.test(name)) {
        const stream = need(events(), "No events: createClient() takes 'events'");
        return Reflect.get(stream.of(path, service), name) as unknown;
      }
      return async (...args: unknown[]) => {
        const id = /^(get|update|patch|remove)$/.test(name) ? { id: args.shift() as NullableId | undefined } : {};
        const data = /^(find|get|remove)$/.test(name) ? {} : { data: args.shift() ?? {} };
        return call(name, { ...id, ...data, params: args[0] ?? {} });
      };
    },
  }) as AnyService;
  return service;
}
