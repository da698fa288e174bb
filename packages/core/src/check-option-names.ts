/**
 * Refuses options that there are not: a misspelt one would silently do nothing.
 *
 * @param of what takes them, as messages name it: `rest()`, `MemoryService` or `'authentication.limiter'`
 * @param options callers without types may give anything; what is no object is refused
 * @param names the options that there are
 * @param note what else the message is to say. Default: nothing
 * @throws TypeError that names the option and those that there are
 */
export function checkOptionNames(of: string, options: unknown, names: ReadonlySet<string>, note = ''): void {
  if (isApplication(options)) {
    const call = of.endsWith('()') ? `. Is it to be called first, configure(${of})?` : '';
    throw new TypeError(`${of} takes an object of options, and got the application${call}`);
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${of} takes an object of options, and got ${kindOf(options)}`);
  const unknown = Object.keys(options).find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw new TypeError(`${of} has no option '${unknown}'.${likelyMeant(unknown, names)} It has ${[...names].join(', ')}${note}`);
}

/**
 * Refuses names that are likely meant to be options, where other names may be options of somebody else.
 *
 * @param of what takes them, as messages name it
 * @param names the options that there are
 * @param others names of others that are meant as they are. Default: none
 * @throws TypeError that names the option that is likely meant
 */
export function checkSpelling(of: string, options: object, names: ReadonlySet<string>, others: Iterable<string> = []): void {
  const meant = new Set([...names, ...others]);
  for (const name of Object.keys(options)) {
    const near = meant.has(name) ? '' : likelyMeant(name, names);
    if (near !== '') throw new TypeError(`${of} has no option '${name}'.${near}`);
  }
}

/** By its methods: what knows applications is not loaded by adapters. */
function isApplication(value: unknown): boolean {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && ['configure', 'service', 'use'].every((name) => typeof Reflect.get(value, name) === 'function');
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : typeof value;
}

/**
 * Says in a message which name was likely meant.
 *
 * @param given a name that there is not
 * @param names those that there are
 * @returns a sentence with a blank before it; empty where none is near
 */
export function likelyMeant(given: string, names: Iterable<string>): string {
  const near = nearestName(given, names);
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}

/** @returns the name of a few that another is likely a misspelling of */
function nearestName(given: string, names: Iterable<string>): string | undefined {
  return [...names].find((name) => distance(given.toLowerCase(), name.toLowerCase()) <= Math.min(3, Math.ceil(name.length / 3)));
}

/** Letters to add, leave out or change between two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const [above = 0, left = 0, before = 0] = [row[column + 1], next[column], row[column]];
      next.push(Math.min(above + 1, left + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
