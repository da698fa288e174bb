import { MAX_PROBLEMS, type Problem } from './record-rules.ts';

/** Deepest nesting of data and of queries that nothing describes. */
export const MAX_DEPTH = 100;

/** Longest path that is told, in characters. */
const MAX_PATH = 200;

/** Adds a problem to those that are told, as long as they are few. */
export function tellProblem(problems: Problem[], path: string, keyword: string, message: string): void {
  // Names of callers may have half of a surrogate pair, and others are cut within one.
  const told = path.slice(0, MAX_PATH).toWellFormed();
  if (problems.length < MAX_PROBLEMS)
    problems.push({ path: told, keyword, message: told === '' ? message : `${told} ${message}`, params: {} });
}
