import type { Audit, MethodAudit, ServiceAudit } from './audit-application.ts';

/**
 * Compares an application with what was reviewed. More guards, hidden properties and limits are no regression, fewer are; so are another order of
 * hooks, and every service and method that nobody has reviewed.
 *
 * @param reviewed what the file in the repository says
 * @param found what the application shows now
 * @returns a sentence for each regression, naming service and method
 * @see security S50
 */
export function findRegressions(reviewed: Audit, found: Audit): string[] {
  return Object.entries(found).flatMap(([path, service]) => {
    const before = Object.hasOwn(reviewed, path) ? reviewed[path] : undefined;
    if (!before) return [`service '${path}' is new: nobody has reviewed it`];
    return [...methodRegressions(before, service), ...serviceRegressions(before, service)].map((problem) => `service '${path}'${problem}`);
  });
}

function methodRegressions(before: ServiceAudit, now: ServiceAudit): string[] {
  return Object.entries(now.methods).flatMap(([method, found]) => {
    const expected = Object.hasOwn(before.methods, method) ? before.methods[method] : undefined;
    if (!expected) return [`, method '${method}' can be called from outside now`];
    return [
      ...lostHooks(expected, found).map((lost) => `, method '${method}' has lost the ${lost}`),
      ...movedHooks(expected, found).map((moved) => `, method '${method}' runs its ${moved}`),
    ];
  });
}

function lostHooks(before: MethodAudit, now: MethodAudit): string[] {
  return [
    ...without(before.guards, now.guards).map((name) => `guard ${name}`),
    ...without(before.hooks, now.hooks).map((name) => `hook ${name}`),
    ...without(before.after, now.after).map((name) => `after hook ${name}`),
    ...without(before.errors ?? [], now.errors ?? []).map((name) => `error hook ${name}`),
  ];
}

/** What checks or leaves out something does so of what is there at its turn: behind another hook that may be less. */
function movedHooks(before: MethodAudit, now: MethodAudit): string[] {
  const lists = [
    ['guards', before.guards, now.guards],
    ['hooks', before.hooks, now.hooks],
    ['after hooks', before.after, now.after],
    ['error hooks', before.errors ?? [], now.errors ?? []],
  ] as const;
  return lists.flatMap(([kind, expected, found]) => {
    const was = divided(expected, found).common.join(', ');
    const is = divided(found, expected).common.join(', ');
    return was === is ? [] : [`${kind} in another order: ${is}; reviewed were ${was}`];
  });
}

function serviceRegressions(before: ServiceAudit, now: ServiceAudit): string[] {
  const problems: string[] = [];
  if (before.schema && !now.schema) problems.push(' has lost its schema');
  for (const name of without(before.hidden, now.hidden))
    if (!isInside(name, now.hidden)) problems.push(` does not hide '${name}' any more`);
  for (const name of without(before.notSet, now.notSet)) if (!isInside(name, now.notSet)) problems.push(` lets callers set '${name}' now`);
  for (const name of without(now.opened ?? [], before.opened ?? [])) problems.push(` opens '${name}' to callers now`);
  for (const name of without(now.events ?? [], before.events ?? [])) problems.push(` publishes '${name}' now`);
  if (isWider(before.multi, now.multi)) problems.push(` changes several records at once now (multi: ${JSON.stringify(now.multi)})`);
  if ((now.largestPage ?? Infinity) > (before.largestPage ?? Infinity)) {
    problems.push(` gives pages of ${now.largestPage ?? 'any number of'} records, reviewed were ${String(before.largestPage)}`);
  }
  return problems;
}

/** What the second list lacks of the first; a hook that is there twice may be gone once. */
function without(expected: readonly string[], present: readonly string[]): string[] {
  return divided(expected, present).missing;
}

/** The names of the first list that the second has too, and those that it has not, each in their order. */
function divided(list: readonly string[], other: readonly string[]): { readonly common: string[]; readonly missing: string[] } {
  const left = [...other];
  const [common, missing]: [string[], string[]] = [[], []];
  for (const name of list) {
    const index = left.indexOf(name);
    if (index !== -1) left.splice(index, 1);
    (index === -1 ? missing : common).push(name);
  }
  return { common, missing };
}

/** Whether what is around a property is closed as a whole. */
function isInside(path: string, closed: readonly string[]): boolean {
  return closed.some((outer) => path.startsWith(`${outer}.`));
}

function isWider(before: ServiceAudit['multi'], now: ServiceAudit['multi']): boolean {
  if (before === true || now === false) return false;
  if (now === true || before === false) return true;
  return now.some((method) => !before.includes(method));
}
