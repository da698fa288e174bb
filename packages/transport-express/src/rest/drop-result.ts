import { callerAnswer } from '@framework/core';
import { dropRecords } from '../answer/write-records.ts';
import type { NextFunction, Response } from '../middleware-types.ts';

/**
 * Lets go of the records of a service call whose answer is an error instead: a stream that nobody reads keeps its file, its cursor or its connection open.
 *
 * @param res the response, with the call in `res.hook`
 */
export function dropResult(res: Response): void {
  // Middleware behind the service may have put anything there, and whoever asks goes on to the answer of the error.
  try {
    const { hook, data } = res;
    if (hook) dropRecords(data, hook.result, callerAnswer(hook));
  } catch {
    // What can not be read has nothing that could be let go.
  }
}

/** @returns a continuation that does so first, where it gets an error */
export function droppingResult(res: Response, next: NextFunction): NextFunction {
  return (error?: unknown) => {
    if (error !== undefined && error !== null) dropResult(res);
    next(error);
  };
}
