import { isThenable } from '@framework/core';
import type { ServerOptions } from 'socket.io';
import { logError, type CallLogger } from '../call/call-error.ts';

/** Options of Socket.IO in which an application says who may connect. */
type Checks = Pick<Partial<ServerOptions>, 'allowRequest' | 'cors'>;

/** A function of the application that is asked about something and answers by a callback. */
type Check = (about: unknown, answer: Answer) => unknown;

type Answer = (...answer: unknown[]) => void;

/**
 * Makes the checks of an application safe: one that throws, at once or later as an asynchronous function does, refuses the connection and is logged. Socket.IO
 * asks them where nobody catches that: the process would end.
 *
 * @param options those of Socket.IO
 * @param logger `false` for none, `undefined` for the console
 */
export function safeChecks({ allowRequest, cors }: Checks, logger: CallLogger | false | undefined): Checks {
  const safe = (name: string, check: Check, refusal: (error: unknown) => readonly unknown[]): Check =>
    safely(check, refusal, (when, error) => {
      logError(logger, `The option '${name}' failed${when}`, error);
    });
  const withSafeOrigin = (given: unknown): unknown => {
    const origin: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'origin') : undefined;
    return isCheck(origin) ? { ...(given as object), origin: safe('cors.origin', origin, failure) } : given;
  };
  const safeCors = isCheck(cors)
    ? safe('cors', (req, answer) => cors(req, (error, found) => answer(error, withSafeOrigin(found))), failure)
    : withSafeOrigin(cors);
  return {
    ...(cors === undefined ? {} : { cors: safeCors as NonNullable<Checks['cors']> }),
    ...(isCheck(allowRequest) ? { allowRequest: safe('allowRequest', allowRequest, notAllowed) as Checks['allowRequest'] } : {}),
  } as Checks;
}

/** The first answer counts. */
function safely(check: Check, refusal: (error: unknown) => readonly unknown[], told: (when: string, error: unknown) => void): Check {
  return function (this: unknown, about, answer) {
    let isOpen = true;
    const once: Answer = (...given) => {
      if (!isOpen) return;
      isOpen = false;
      answer(...given);
    };
    const failed = (error: unknown): void => {
      told(isOpen ? ', and a connection was refused' : ' behind its answer', error);
      once(...refusal(error));
    };
    try {
      const outcome: unknown = Reflect.apply(check, this, [about, once]);
      if (isThenable(outcome)) Promise.resolve(outcome).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

function isCheck(value: unknown): value is Check {
  return typeof value === 'function';
}

const failure = (error: unknown): readonly unknown[] => [error instanceof Error ? error : new Error(String(error))];
const notAllowed = (): readonly unknown[] => ['The request can not be checked', false];
