import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Types that are called options or settings, and that nobody writes who uses the package. */
const NOT_WRITTEN: ReadonlySet<string> = new Set([
  // What a case of the contract asks of the adapter under test.
  'adapter-tests CaseOptions',
  // What the options of sessions come to.
  'authentication SessionSettings',
  // What adapters have in common; each has a table of its own.
  'core AdapterOptions',
  // Answers to the questions of the command, whose flags are checked below.
  'create-framework ProjectOptions',
  // What adapters give `parseQuery`.
  'query ServiceQueryOptions',
  // The form of a whole configuration file, as the generator of FeathersJS has it.
  'schema AppSettings',
  'schema SqlSettings',
  // For tools that look through records by themselves.
  'schema RecordShapeOptions',
]);

/** Options by the interface that has them, as the report of a package tells them: what somebody may write. */
function optionsOf(report: string): Map<string, readonly string[]> {
  const types = report.matchAll(/^export interface (\w*(?:Options|Settings|Configuration|Definition|Rule))\b[^\n]*\{\n([\s\S]*?)^\}/gm);
  return new Map(
    [...types].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^ {4}(?:readonly )?'?([\w-]+)'?\??:/gm)].map((match) => String(match[1])),
    ]),
  );
}

/** What a text has in code: names in prose may be words. */
function codeOf(markdown: string): string {
  const blocks = markdown.match(/^```[\s\S]*?^```$/gm) ?? [];
  const spans = markdown.replace(/^```[\s\S]*?^```$/gm, '').match(/`[^`]+`/g) ?? [];
  return [...blocks, ...spans].join('\n');
}

const names = (code: string, name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code);

function sourcesOf(name: string): string[] {
  const files = readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => `packages/${name}/src/${file}`);
}

/** Flags that a command tells of, one on each line of its usage. */
function flagsOf(usage: string): string[] {
  return [...usage.matchAll(/^ {2,4}(?:-\w, )?(--[a-z-]+)/gm)].map((match) => String(match[1]));
}

describe('the README of', () => {
  it.each(readdirSync(join(root, 'packages')))('%s names every option that its types have', (name) => {
    const code = codeOf(text(`packages/${name}/README.md`));
    const missing = [...optionsOf(text(`docs/api/${name}.md`))]
      .filter(([type]) => !NOT_WRITTEN.has(`${name} ${type}`))
      .flatMap(([type, options]) => options.filter((option) => !names(code, option)).map((option) => `${type}.${option}`));
    expect(missing).toEqual([]);
  });

  const commands = readdirSync(join(root, 'packages'))
    .flatMap((name) => sourcesOf(name))
    .map((file) => ({ file, usage: /^(?:export )?const USAGE = `([^`]*)`/m.exec(text(file))?.[1] ?? '' }))
    .filter(({ usage }) => usage !== '');

  it.each(commands)('$file names every flag of its command', ({ file, usage }) => {
    const code = codeOf(text(`${file.split('/').slice(0, 2).join('/')}/README.md`));
    const flags = flagsOf(usage).filter((flag) => flag !== '--help' && flag !== '--version');
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter((flag) => !names(code, flag))).toEqual([]);
  });

  it('no package that leaves one out passes', () => {
    const report =
      'export interface AOptions {\n    one?: string;\n    readonly two: number;\n}\n\nexport interface Other {\n    three: 1;\n}\n';
    expect([...optionsOf(report)]).toEqual([['AOptions', ['one', 'two']]]);
    const code = codeOf('one `two` three\n\n```ts\nf({ four: 1 })\n```\n');
    expect(['one', 'two', 'four'].map((name) => names(code, name))).toEqual([false, true, true]);
    expect(flagsOf('Usage: a [--x]\n\n  --one <a>  it\n  -t, --two  and --three\n')).toEqual(['--one', '--two']);
    expect(commands.length).toBeGreaterThan(5);
  });

  it('every type that is left out is there', () => {
    const known = readdirSync(join(root, 'packages')).flatMap((name) =>
      [...optionsOf(text(`docs/api/${name}.md`)).keys()].map((type) => `${name} ${type}`),
    );
    expect([...NOT_WRITTEN].filter((type) => !known.includes(type))).toEqual([]);
  });
});
