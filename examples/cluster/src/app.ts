import { framework, type Id } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';

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

/** The application of one process. What processes share (users, sessions, limits) belongs into the database. */
export function createApp(): Application<{ primes: PrimeService }> {
  const app = express(framework<{ primes: PrimeService }>());
  app.use(json());
  app.configure(rest());
  app.use('primes', new PrimeService());
  app.use(notFound());
  app.use(errorHandler());
  return app;
}
