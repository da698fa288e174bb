import type { LoginHeaders } from '../authentication/authentication-types.ts';
import type { AnyService } from '../service/service.ts';

/** What events need of a client. */
export interface EventHost {
  /** Headers that log the stream in. */
  readonly headers: () => Promise<LoginHeaders>;
  /** Has a new login in place of one that was refused, and says whether there is one. */
  readonly isReplaced: (refused: LoginHeaders) => Promise<boolean>;
  /** Tells the client's listeners of the state of the stream. */
  readonly emit: (event: 'connect' | 'disconnect' | 'reset' | 'eventError', ...args: readonly unknown[]) => void;
}

/** What services have for events. */
export type EventTools = Pick<AnyService, 'on' | 'once' | 'off' | 'events'>;

/** Events of all services: received while somebody listens. */
export interface Events {
  /** What a service has for its events. */
  of(path: string, service: AnyService): EventTools;
  /**
   * Somebody has logged in or out.
   *
   * @param result of that; `undefined` where another tab has, and this one goes on as whoever it is there
   */
  restart(result: unknown): void;
  close(): void;
}

/** Where events come from: what `sse(url)` gives. */
export interface EventTransport {
  events(host: EventHost): Events;
}
