/** What a template is filled with. */
export interface TemplateFacts {
  /** Names that conditions ask for: those that hold. */
  readonly facts: ReadonlySet<string>;
  /** Texts by name. */
  readonly values: Readonly<Record<string, string>>;
}

const VALUE = /«([^»]*)»/g;
const TYPED = /‹([^›¦]*)(?:¦([^›]*))?›/g;

/**
 * Fills a template. Whole lines `%% if a & !b`, `%% if a | b`, `%% else` and `%% end` choose lines; `‹typed¦plain›` is the first text in
 * TypeScript (the fact `ts`) and the second, or nothing, elsewhere; `«name»` is a value. One source so gives TypeScript and JavaScript.
 *
 * @throws Error for a value without a text, and for conditions that do not end
 */
export function renderTemplate(template: string, { facts, values }: TemplateFacts): string {
  const open: boolean[] = [];
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const [, directive, condition = ''] = /^%% (if|else|end) ?(.*)$/.exec(line) ?? [];
    if (directive === undefined) {
      if (open.every(Boolean)) lines.push(line);
    } else if (directive === 'if') {
      open.push(holds(condition, facts));
    } else {
      const last = open.pop();
      if (last === undefined) throw new Error(`'${line}' ends no condition`);
      if (directive === 'else') open.push(!last);
    }
  }
  if (open.length > 0) throw new Error('A condition does not end');
  return lines
    .join('\n')
    .replace(TYPED, (_all, typed: string, plain: string | undefined) => (facts.has('ts') ? typed : (plain ?? '')))
    .replace(VALUE, (_all, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new Error(`A template asks for '${name}', which has no value`);
      return value;
    });
}

function holds(condition: string, facts: ReadonlySet<string>): boolean {
  return condition.split(' | ').some((all) => all.split(' & ').every((name) => facts.has(name.replace('!', '')) !== name.startsWith('!')));
}
