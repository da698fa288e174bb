import type { Audit, MethodAudit, ServiceAudit } from './audit-application.ts';

/** @returns the audit as text, for people: a block for each service */
export function formatAudit(audit: Audit): string {
  return Object.entries(audit)
    .map(([path, service]) => [path, ...serviceLines(service)].join('\n'))
    .join('\n\n');
}

function serviceLines({ methods, schema, hidden, notSet, multi, largestPage, opened = [], events = [] }: ServiceAudit): string[] {
  const width = Math.max(0, ...Object.keys(methods).map((name) => name.length));
  return [
    ...Object.entries(methods).map(([name, method]) => `  ${name.padEnd(width)}  ${methodText(method)}`),
    `  schema: ${schema ? 'yes' : 'no'}; hidden: ${list(hidden)}; not set: ${list(notSet)}; multi: ${typeof multi === 'boolean' ? (multi ? 'all methods' : 'no') : list(multi)}; largest page: ${largestPage ?? 'not limited'}${opened.length === 0 ? '' : `; opened: ${list(opened)}`}`,
    ...(events.length === 0 ? [] : [`  events: ${list(events)}`]),
  ];
}

function methodText({ guards, hooks, after, errors = [] }: MethodAudit): string {
  const parts = [guards.length === 0 ? 'no guard' : `guards: ${list(guards)}`];
  if (hooks.length > 0) parts.push(`hooks: ${list(hooks)}`);
  if (after.length > 0) parts.push(`after: ${list(after)}`);
  if (errors.length > 0) parts.push(`errors: ${list(errors)}`);
  return parts.join('; ');
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
