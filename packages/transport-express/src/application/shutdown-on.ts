import { constants } from 'node:os';
import { checkOptionNames } from '@framework/core';
import { CLOSE_TIMEOUT, type CloseOptions } from './ending.ts';
import { checkMilliseconds } from './time-limit.ts';

/** What tells a process to end: signals, or the parent process that has gone (`disconnect`). */
export type ShutdownEvent = NodeJS.Signals | 'disconnect';

/** Options of {@link shutdownOn}. */
export interface ShutdownOptions {
  /** Milliseconds until open connections are cut, as `app.close` takes it. Default: 10,000. */
  readonly timeout?: number;
  /** Milliseconds for everything, the teardown of the services and `finish` with it. Default: `timeout` and 10,000 more. */
  readonly limit?: number;
  /** Called when the application is closed, for example to close its database. */
  readonly finish?: () => unknown;
}

const OPTIONS: ReadonlySet<string> = new Set(['timeout', 'limit', 'finish']);
const FINISH_TIMEOUT = 10_000;

/**
 * Closes an application when the process is told to end, and ends the process then: with exit code 0, or with 1 and a line on standard
 * error when something failed or took longer than the limit. Further signals change nothing: terminals and tools send several. Of several
 * applications that are being closed so, the last one ends the process.
 *
 * @param app what is closed
 * @param events what to wait for. Default: `SIGINT` and `SIGTERM`
 * @returns a function that takes it back
 * @throws TypeError for unknown options, signals that there are not, and what is no time or function
 * @see security S44
 */
export function shutdownOn(
  app: { close(options?: CloseOptions): Promise<void> },
  events: readonly ShutdownEvent[] = ['SIGINT', 'SIGTERM'],
  options: ShutdownOptions = {},
): () => void {
  if (typeof (app as { readonly close?: unknown } | undefined)?.close !== 'function')
    throw new TypeError('shutdownOn() takes the application that it closes: shutdownOn(app)');
  checkEvents(events);
  checkOptionNames('shutdownOn()', options, OPTIONS);
  if (options.finish !== undefined && typeof options.finish !== 'function')
    throw new TypeError("The option 'finish' of shutdownOn() is a function, such as () => database.close()");
  const timeout = checkMilliseconds('timeout', options.timeout ?? CLOSE_TIMEOUT);
  const limit = checkMilliseconds('limit', options.limit ?? timeout + FINISH_TIMEOUT);
  let begun = false;
  const begin = (): void => {
    if (begun) return;
    begun = true;
    const over = endOfProcess();
    const fail = (error: unknown): void => {
      console.error(error);
      over(1);
    };
    const timer = setTimeout(() => {
      fail(new Error(`The application did not end within ${limit} milliseconds`));
    }, limit);
    void end()
      .then(() => over(0), fail)
      .finally(() => {
        clearTimeout(timer);
      });
  };
  const end = async (): Promise<void> => {
    await app.close({ timeout });
    await options.finish?.();
  };
  for (const event of events) process.on(event, begin);
  return () => {
    for (const event of events) process.off(event, begin);
  };
}

/** A text has letters in it as a list has names, and the process would wait for what never comes. */
function checkEvents(events: unknown): void {
  const known = (event: unknown): boolean =>
    event === 'disconnect' || (typeof event === 'string' && Object.hasOwn(constants.signals, event));
  if (!Array.isArray(events) || !events.every(known))
    throw new TypeError("shutdownOn() takes a list of signals, such as ['SIGINT', 'SIGTERM'], or 'disconnect' in it");
}

/** Applications that are being closed: the last one ends the process, or the others would lose what they are about to answer. */
let closing = 0;
let exitCode = 0;

/** @returns says that an application has ended, and how: what it says first counts */
function endOfProcess(): (code: 0 | 1) => void {
  closing += 1;
  let isOver = false;
  return (code) => {
    if (isOver) return;
    isOver = true;
    closing -= 1;
    exitCode ||= code;
    if (closing === 0) process.exit(exitCode);
  };
}
