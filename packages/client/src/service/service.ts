import type { QueuedEvent } from '../events/event-queue.ts';
import type { Events } from '../events/events.ts';
import { addHooks, type HookList } from '../hooks/hook-list.ts';
import type { ClientHookMap } from '../hooks/hook-types.ts';
import type { CallArguments, CallParams, NullableId } from '../transport.ts';
import type { Page } from '../types/client-service.ts';
import { pages, records } from './pages.ts';

/** What a service needs of its client. */
export interface ServiceHost {
  call(method: string, args: CallArguments): Promise<unknown>;
  events(): Events | undefined;
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
  pages(params?: CallParams): AsyncGenerator<Page<unknown>, void, undefined>;
  records(params?: CallParams): AsyncGenerator<unknown, void, undefined>;
  on(event: string, listener: AnyListener): AnyService;
  once(event: string, listener: AnyListener): AnyService;
  off(event: string, listener?: AnyListener): AnyService;
  events(options?: { readonly signal?: AbortSignal; readonly buffer?: number }): AsyncGenerator<QueuedEvent, void, undefined>;
  hooks(map: ClientHookMap): AnyService;
}

/** Arguments of the methods that are not called with data and parameters. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  find: ['params'],
  get: ['id', 'params'],
  update: ['id', 'data', 'params'],
  patch: ['id', 'data', 'params'],
  remove: ['id', 'params'],
};

/**
 * A service of the client. Any name is a method, which takes data and parameters: which ones there are the types know, and the server.
 *
 * @param path without outer slashes
 */
export function serviceOf(path: string, { call, events, hooks }: ServiceHost): AnyService {
  const tools: Pick<AnyService, 'pages' | 'records' | 'hooks'> = {
    pages: (params = {}) => pages((page) => service.find(page), params),
    records: (params) => records(service.pages(params)),
    hooks(map) {
      addHooks(hooks, map);
      return service;
    },
  };
  const service = new Proxy(tools, {
    get(target, name) {
      if (/^(on|once|off|events)$/.test(String(name))) {
        const stream = events();
        if (!stream) throw new TypeError("There are no events: createClient() has the option 'events', for sse(url)");
        return Reflect.get(stream.of(path, service), name) as unknown;
      }
      // Nobody waits for a service, and nobody writes it as JSON.
      if (typeof name === 'symbol' || name in target || /^(then|toJSON)$/.test(name)) return Reflect.get(target, name) as unknown;
      return (...args: readonly unknown[]) =>
        call(name, Object.fromEntries((ARGUMENTS[name] ?? ['data', 'params']).map((argument, place) => [argument, args[place]])));
    },
  }) as AnyService;
  return service;
}
