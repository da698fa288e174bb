import type { MongoClient } from 'mongodb';
import { UnansweredError } from '../driver-error.ts';
import type { Call } from './call.ts';
import { letGo } from './let-go.ts';

/** How often the driver tries a command. */
const ATTEMPTS = 2;

/**
 * @param client whose times hold
 * @param driver what goes to the driver with each command
 * @returns milliseconds in which the driver finds a server, connects to it and has its answer, as often as it tries; `undefined` without a time for answers
 */
export function limitOf(
  client: Partial<Pick<MongoClient, 'options'>> | undefined,
  { socketTimeoutMS }: Call['driver'],
): number | undefined {
  const { socketTimeoutMS: ofClient, serverSelectionTimeoutMS = 0, connectTimeoutMS = 0 } = client?.options ?? {};
  const answer = socketTimeoutMS ?? ofClient;
  return typeof answer === 'number' && answer > 0 ? ATTEMPTS * (serverSelectionTimeoutMS + connectTimeoutMS + answer) : undefined;
}

/**
 * What the driver ends in a time, or is given up.
 *
 * @param limit milliseconds
 * @param client whose connections are let go that will never answer
 * @param label of the error of the driver for the same
 * @throws UnansweredError when the time is over, and what the driver fails with
 */
export async function withinLimit<T>(answer: PromiseLike<T>, limit: number, client: unknown, label?: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new UnansweredError(limit, label);
      reject(error);
      letGo(client, error);
    }, limit).unref();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
