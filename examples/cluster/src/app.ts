import { DocDbService, eventLog } from '@framework/adapter-docdb';
import { channels } from '@framework/channels';
import { framework, type HookContext, type Id } from '@framework/core';
import { BadRequest } from '@framework/errors';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';
import type { Db } from 'mongodb';

/** One answer, and the process that gave it. */
export interface Prime {
  readonly id: number;
  readonly prime: boolean;
  readonly process: number;
}

/** Tells primes by trial division: work for the processor, so that more processes give more answers. */
export class PrimeService {
  async get(id: Id): Promise<Prime> {
    const number = Number(id);
    return Promise.resolve({ id: number, prime: isPrime(number), process: process.pid });
  }
}

function isPrime(number: number): boolean {
  if (!Number.isSafeInteger(number) || number < 2) return false;
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
}

/** A note, and the process that took it. */
export interface Note {
  readonly _id: string;
  readonly text: string;
  readonly process: number;
}

interface Services {
  primes: PrimeService;
  notes: DocDbService<Note>;
}

/**
 * The application of one process. What processes share (users, sessions, limits) belongs into the database, and so do events: each process reads the log of all.
 *
 * @param db the database, on a connection of this process
 */
export function createApp(db: Db): Application<Services> {
  const app = express(framework<Services>());
  app.configure(channels({ log: eventLog(db) }));
  app.use(json());
  app.configure(rest());
  app.configure(sse());
  app.use('primes', new PrimeService());
  // A note and its event are stored together: no client misses it, whatever process is killed when.
  app.use('notes', new DocDbService<Note>({ Model: db.collection('notes') }), { durable: true });
  app.service('notes').hooks({ before: { create: [takenHere] } });
  app.on('connection', (connection: object) => app.channel('everybody').join(connection));
  app.service('notes').publish(() => app.channel('everybody'));
  app.use(notFound());
  app.use(errorHandler());
  return app;
}

function takenHere(context: HookContext<unknown, DocDbService<Note>, 'create'>): void {
  const text: unknown = Reflect.get(context.data, 'text');
  if (typeof text !== 'string') throw new BadRequest('A note has a text');
  context.data = { text, process: process.pid };
}
