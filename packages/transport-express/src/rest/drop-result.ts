import { callerAnswer } from '@framework/core';
import { dropRecords } from '../answer/write-records.ts';
import type { NextFunction, Response } from '../middleware-types.ts';

/**
 * Lets go of the records of a service call whose answer is an error instead: a stream that nobody reads keeps its file, its cursor or its connection open.
 *
 * @param res the response, with the call in `res.hook`
 */
export function dropResult({ hook, data }: Response): void {
  if (hook !== undefined) dropRecords(data, hook.result, callerAnswer(hook));
}

/** @returns a continuation that does so first, where it gets an error */
export function droppingResult(res: Response, next: NextFunction): NextFunction {
  return (error?: unknown) => {
    if (error !== undefined && error !== null) dropResult(res);
    next(error);
  };
}
