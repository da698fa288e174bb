import { eventLog, DocDbService, type EventLogOptions } from '@framework/adapter-docdb';
import { channels, realTimeOf, type CloseReason, type EventTransport, type Message, type Subscriber } from '@framework/channels';
import { framework } from '@framework/core';
import { MongoClient } from 'mongodb';

/** An application with services of any shape. */
export type AnyApplication = any;

/** A connection whose transport writes down what it gets. */
export class Listener implements Subscriber {
  readonly connection: Record<string, unknown>;
  readonly transport: EventTransport;
  readonly messages: { readonly name: string; readonly data: any }[] = [];
  readonly positions: (string | undefined)[] = [];
  readonly queued = 0;
  position: string | undefined;
  closed: CloseReason | undefined;

  constructor(connection: Record<string, unknown> = {}) {
    this.connection = connection;
    this.transport = {
      send: ({ name, text, position }: Message) => {
        this.messages.push({ name, data: JSON.parse(text) });
        this.positions.push(position);
        this.position = position ?? this.position;
      },
      mark: (position) => {
        this.position = position;
      },
    };
  }

  whenDrained(callback: () => void): void {
    setImmediate(callback);
  }

  close(reason: CloseReason): void {
    this.closed = reason;
  }

  /** One property of all that came. */
  all(name: string): unknown[] {
    return this.messages.map(({ data }) => data[name]);
  }
}

/** One process, as far as it can be told apart from others within one: it has a connection to the database, and a log, of its own. */
export interface Process {
  readonly app: AnyApplication;
  readonly client: MongoClient;
  /** Opens a connection that is in the channel `everybody`. @returns `undefined` when an offset can not be resumed from */
  open(offset?: string, connection?: Record<string, unknown>): Listener | undefined;
  /** As {@link open}, once the process has read as far as the one that told the offset. */
  resume(offset: string | undefined): Promise<Listener | undefined>;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly uri: string;
  readonly name: string;
  readonly log?: EventLogOptions;
  readonly build?: (app: AnyApplication, client: MongoClient) => void;
}

/** Starts a process whose service `messages` everybody gets events of. */
export async function startProcess({ uri, name, log, build = () => undefined }: ProcessOptions): Promise<Process> {
  const client = await new MongoClient(uri, { monitorCommands: true }).connect();
  const app: AnyApplication = framework();
  app.configure(channels({ log: eventLog(client.db(name), { gather: 1, ...log }) }));
  app.use('messages', new DocDbService({ Model: client.db(name).collection('messages'), multi: true }), { durable: true });
  app.use('notes', new DocDbService({ Model: client.db(name).collection('notes'), multi: true }));
  app.publish(() => app.channel('everybody'));
  build(app, client);
  try {
    await app.setup();
  } catch (error) {
    await client.close();
    throw error;
  }
  const { hub } = realTimeOf(app);
  const started: Process = {
    app,
    client,
    async resume(offset) {
      await hub.reach(offset);
      return started.open(offset);
    },
    open(offset, connection = {}) {
      if (offset !== undefined && !hub.canResume(offset)) return undefined;
      const listener = new Listener(connection);
      hub.open(listener, offset);
      app.channel('everybody').join(listener.connection);
      hub.ready(listener.connection);
      return listener;
    },
    async stop() {
      await app.teardown();
      await client.close();
    },
  };
  return started;
}

/** Waits until something is so. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
