import { FrameworkError, givenData, toFrameworkError } from '@framework/errors';
import { originOf, rememberOrigin } from './record-origin.ts';
import { ALL_REDACT_RULES, Redaction } from './redact.ts';
import type { RecordRules, Viewer } from './record-rules.ts';

/** What an error may carry to a caller. */
interface Carrier {
  data?: unknown;
  errors?: unknown;
}

/**
 * What a viewer may see of an error: records in its `data` and `errors` are redacted by the rules of their services, wherever they are.
 *
 * @param thrown anything
 * @param rules of the service that threw it. Default: there are none
 * @returns the same error, with what the viewer sees; another one without data when that can not be found out
 */
export function shownError(thrown: unknown, viewer: Viewer, rules?: RecordRules): unknown {
  if (!isCarrier(thrown)) return thrown;
  try {
    const foreign = new Redaction(viewer, undefined, undefined, false, ALL_REDACT_RULES);
    const inside = rules?.hasSecrets ? rules.redactor(viewer, true) : (value: unknown): unknown => foreign.of(value, undefined);
    keepOrigin(thrown);
    replace(thrown, 'data', inside);
    replace(thrown, 'errors', (errors) => problems(errors, inside));
    return thrown;
  } catch {
    return withoutData(thrown);
  }
}

/** What callers are told of an error whose data nobody can look through; what was thrown is its cause, for logs. */
function withoutData(thrown: unknown): FrameworkError {
  const { name, message, code, className } = toFrameworkError(thrown);
  const shown = new FrameworkError(message, name, code, className);
  return Object.defineProperty(shown, 'cause', { value: thrown, writable: true, configurable: true });
}

/**
 * Remembers the rules of records in an error that a call on the server gets: what an outer call makes of it is shown to somebody.
 *
 * @param rules of the service that threw it
 */
export function rememberInError(thrown: unknown, rules: RecordRules): void {
  if (!isCarrier(thrown) || !rules.hasSecrets) return;
  keepOrigin(thrown);
  rules.rememberEverywhere(thrown.data);
  if (!Array.isArray(thrown.errors) || !thrown.errors.every(isProblem)) rules.rememberEverywhere(thrown.errors);
}

/** The data of an error is a copy of what it was made with, which may be a record. */
function keepOrigin(thrown: Carrier): void {
  const given = givenData(thrown);
  const origin = given === undefined ? undefined : originOf(given);
  if (origin && typeof thrown.data === 'object' && thrown.data !== null) rememberOrigin(thrown.data, origin);
}

function replace(thrown: Carrier, name: keyof Carrier, of: (value: unknown) => unknown): void {
  const given = thrown[name];
  if (typeof given !== 'object' || given === null) return;
  const shown = of(given);
  if (shown !== given) thrown[name] = shown;
}

/** Names of properties, and what was expected of them, are no record: a property may be called as one that is hidden. */
function problems(errors: unknown, inside: (value: unknown) => unknown): unknown {
  if (Array.isArray(errors)) {
    const list = errors.map((entry: unknown) => (isProblem(entry) ? entry : inside(entry)));
    return list.every((entry, index) => entry === errors[index]) ? errors : list;
  }
  const entries = Object.entries(errors as object).map(([name, entry]) => [name, inside(entry)] as const);
  return entries.every(([name, entry]) => entry === (errors as Record<string, unknown>)[name]) ? errors : Object.fromEntries(entries);
}

const PROBLEM: ReadonlySet<string> = new Set(['path', 'keyword', 'message', 'params']);

function isProblem(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return true;
  const { path, keyword, message } = entry as Readonly<Record<string, unknown>>;
  return [path, keyword, message].every((text) => typeof text === 'string') && Object.keys(entry).every((name) => PROBLEM.has(name));
}

function isCarrier(thrown: unknown): thrown is Carrier {
  return typeof thrown === 'object' && thrown !== null && ('data' in thrown || 'errors' in thrown);
}
