/** What says more of a placeholder than its name, in paths of Express: `:id?`, `:id(\d+)`, `:id*`, `:from:to`. Here it would be a part of the name. */
const PATTERN = /[?*+(){}\\:]/;

/**
 * Looks at the placeholders of a registration: each has a value of its own in `params.route`.
 *
 * @param segments of a path, for example `users`, `:userId`
 * @param path the whole, for the text
 * @throws Error for a placeholder without a name, for one that is there twice, for one that is a pattern, and for one that no object has as a property of its own
 */
export function refusePlaceholders(segments: readonly string[], path: string): void {
  const names = segments.filter((segment) => segment.startsWith(':'));
  for (const [index, name] of names.entries()) {
    if (name === ':') throw new Error(`The path '${path}' has a placeholder without a name. Give it one, as in 'users/:userId/messages'`);
    if (name === ':__proto__')
      throw new Error(`The path '${path}' has the placeholder '${name}', which params.route can not have. Give it another name`);
    if (PATTERN.test(name.slice(1)))
      throw new Error(
        `The path '${path}' has the placeholder '${name}', which is a pattern. Placeholders are whole segments with a name: register the service at each path that is meant, and look at values in a hook`,
      );
    if (names.indexOf(name) === index) continue;
    const own = name === ':__id' ? " (':__id' is that of the ids of records, which each service has)" : '';
    throw new Error(
      `The path '${path}' has the placeholder '${name}' twice, and params.route one value. Give them names of their own${own}`,
    );
  }
}
