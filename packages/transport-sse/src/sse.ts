import type { ServerResponse } from 'node:http';
import { channels, realTimeOf } from '@framework/channels';
import { describeTransport, getServiceOptions } from '@framework/core';
import { Streams, type StreamApplication } from './connection/streams.ts';
import type { StreamRequest } from './connection/stream-request.ts';
import { describeStream } from './describe-stream.ts';
import { sseSettings, type SseOptions } from './sse-options.ts';

/** Setting under which the REST transport finds the connections that requests name. */
const CONNECTIONS = 'connections';

/** An application as the transport changes it. */
interface ServedApplication extends StreamApplication {
  readonly services: object;
  readonly mixins: ((service: object, path: string) => void)[];
  set(name: string, value: unknown): unknown;
  use(path: string, handler: (req: StreamRequest, res: ServerResponse, next: (error?: unknown) => void) => void): unknown;
  setup: (...args: unknown[]) => Promise<unknown>;
  on(event: string, listener: (connection: object) => void): unknown;
}

/**
 * Sends real-time events over plain HTTP, as server-sent events: `app.configure(sse())`, behind `cors()` and in front of `notFound()`. Calls
 * over REST can name their client's stream in the header `Connection-Id`, by the id that its event `connection` tells.
 *
 * @param options path, limits and times
 * @returns to be given to `app.configure`
 * @throws TypeError for options that are not what they have to be
 * @throws Error from `configure` when the application is not wrapped by `express(app)` or has streams already; from it or `use` for a service at
 *   their path, and for names with line breaks
 * @see security S12, S19, S34, S35
 */
export function sse(options: SseOptions = {}): (app: object) => void {
  const settings = sseSettings(options);
  return (app) => {
    if (!isExpressApplication(app)) throw new Error('sse() needs an Express compatible application: wrap it first with express(app)');
    if (configured.has(app)) throw new Error('The application has streams already: configure sse() once');
    checkServices(app, settings.path);
    configured.add(app);
    channels()(app);
    const streams = new Streams(app, realTimeOf(app), settings);
    describeTransport(app, { endpoints: [describeStream(settings.path)] });
    app.set(CONNECTIONS, (id: string) => streams.connectionOf(id));
    app.use(`/${settings.path}`, (req, res, next) => {
      // What lies below the path is somebody else's.
      if (/^\/?(?:\?|$)/.test(req.url ?? '')) streams.answer(req, res).catch(next);
      else next();
    });
    addStartAndEnd(app, streams);
  };
}

const configured = new WeakSet<object>();

function addStartAndEnd(app: ServedApplication, streams: Streams): void {
  const setup = app.setup.bind(app);
  app.setup = (...args): Promise<unknown> => {
    streams.begin();
    return setup(...args);
  };
  app.on('closing', () => {
    streams.endAll();
  });
}

/** A service at the path would get no GET, and names that hold line breaks would break the lines of streams. */
function checkServices(app: ServedApplication, path: string): void {
  const check: ServedApplication['mixins'][number] = (service, taken) => {
    if (taken === path) throw new Error(`The path '${path}' is that of the stream: give sse({ path }) or the service another`);
    for (const name of [taken, ...(getServiceOptions(service)?.serviceEvents ?? [])]) {
      if (/[\r\n]/.test(name))
        throw new Error(`Streams can not send events of '${name}': names of services and events hold no line breaks`);
    }
  };
  for (const [taken, service] of Object.entries(app.services)) check(service as object, taken);
  app.mixins.push(check);
}

function isExpressApplication(app: object): app is ServedApplication {
  return typeof app === 'function' && 'route' in app && 'services' in app;
}
