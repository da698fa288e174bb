import { existsSync, readFileSync } from 'node:fs';
import type { Audit, MethodAudit, ServiceAudit } from './audit-application.ts';

/**
 * Reads what was reviewed.
 *
 * @param file path of the file that `--update` has written
 * @throws Error when it is not there, or is no audit: what can not be read protects nothing
 */
export function readReviewed(file: string): Audit {
  if (!existsSync(file)) throw new Error(`${file} does not exist: --update writes it`);
  const reviewed = parsed(readFileSync(file, 'utf8'));
  if (isRecordOf(reviewed, isServiceAudit)) return reviewed;
  throw new Error(`${file} is no audit: --update writes one`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isServiceAudit(value: unknown): value is ServiceAudit {
  if (!isObject(value)) return false;
  const { methods, schema, hidden, notSet, multi, largestPage, opened, events } = value;
  return (
    isRecordOf(methods, isMethodAudit) &&
    typeof schema === 'boolean' &&
    isNames(hidden) &&
    isNames(notSet) &&
    (typeof multi === 'boolean' || isNames(multi)) &&
    (largestPage === null || typeof largestPage === 'number') &&
    (opened === undefined || isNames(opened)) &&
    (events === undefined || isNames(events))
  );
}

function isMethodAudit(value: unknown): value is MethodAudit {
  if (!isObject(value) || (value.errors !== undefined && !isNames(value.errors))) return false;
  return isNames(value.guards) && isNames(value.hooks) && isNames(value.after);
}

function isRecordOf<T>(value: unknown, check: (entry: unknown) => entry is T): value is Readonly<Record<string, T>> {
  return isObject(value) && Object.values(value).every(check);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
