import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { channels, realTimeOf, type CloseReason, type EventTransport, type Message, type Subscriber } from '../src/index.ts';

export type App = any;

/** A connection whose transport writes down what it is to send. */
export class Listener implements Subscriber {
  readonly connection: Record<string, unknown> = {};
  readonly transport: EventTransport;
  readonly messages: Message[] = [];
  position = '';
  queued = 0;
  closed: CloseReason | undefined;
  drained: () => void = () => undefined;
  /** What sending fails with. */
  failure: Error | undefined;
  sent: () => void = () => undefined;

  constructor() {
    this.transport = {
      send: (message) => {
        if (this.failure) throw this.failure;
        this.messages.push(message);
        this.position = message.position ?? this.position;
        this.sent();
      },
      mark: (position) => {
        if (this.failure) throw this.failure;
        this.position = position;
      },
    };
  }

  get texts(): unknown[] {
    return this.messages.map(({ text }) => JSON.parse(text) as unknown);
  }

  whenDrained(callback: () => void): void {
    this.drained = callback;
  }

  close(reason: CloseReason): void {
    this.closed = reason;
  }
}

export function create(options = {}): App {
  const app = framework() as App;
  app.configure(channels(options));
  app.use('notes', new MemoryService({ multi: true }));
  return app;
}

export function open(app: App, from?: string): Listener {
  const listener = new Listener();
  realTimeOf(app).hub.open(listener, from);
  return listener;
}
