import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const { outdated } = (await import(new URL('../../../scripts/figures.mjs', import.meta.url).href)) as { outdated: () => string[] };
const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const FIRST = ['Install', 'Use'];
const LAST = ['Options', 'Errors', 'Limits', 'See also'];

/** What is wrong with the order of a README's sections; empty when it is that of CONTRIBUTING.md. */
function faults(readme: string): string[] {
  const sections = [...readme.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^## (.+)$/gm)].map((match) => String(match[1]));
  const [title = '', description = ''] = readme.split('\n\n');
  const own = sections.filter((name) => !FIRST.includes(name) && !LAST.includes(name));
  const ordered = [...FIRST, ...own, ...LAST.filter((name) => sections.includes(name))];
  return [
    ...(title.startsWith('# ') ? [] : ['it begins with no title']),
    ...(description.startsWith('#') || description === '' ? ['nothing says what it is'] : []),
    ...['Install', 'Use', 'See also'].filter((name) => !sections.includes(name)).map((name) => `'${name}' is missing`),
    ...(sections.join() === ordered.join() ? [] : [`the order is to be ${ordered.join(', ')}`]),
  ];
}

/** Packages that the code of `Use` imports, and that the line of `Install` does not name. */
function missing(readme: string): string[] {
  const section = (name: string): string => String(new RegExp(`^## ${name}\n([\\s\\S]*?)(?=^## )`, 'm').exec(readme)?.[1]);
  const installed: readonly string[] = section('Install').match(/[\w@/.-]+/g) ?? [];
  const imports = [...section('Use').matchAll(/^import .* from '((?:@[^/']+\/)?[^/'.]+)[^']*';/gm)].map(([, name = '']) => name);
  return imports.filter((name) => !name.startsWith('node:') && !installed.includes(name));
}

describe('the README of', () => {
  it.each(readdirSync(join(root, 'packages')))('%s has its sections in the order of all', (name) => {
    expect(faults(text(`packages/${name}/README.md`))).toEqual([]);
  });

  it.each(readdirSync(join(root, 'packages')))('%s installs what its program imports', (name) => {
    expect(missing(text(`packages/${name}/README.md`))).toEqual([]);
  });

  it('none, where something is wrong, passes', () => {
    const right = '# a\n\nIt is.\n\n## Install\n\n## Use\n\n## Own\n\n## Options\n\n## See also\n';
    expect(faults(right)).toEqual([]);
    expect(faults(right.replace('## Own\n\n## Options', '## Options\n\n## Own'))).toHaveLength(1);
    expect(faults(right.replace('## Install\n\n', ''))).toHaveLength(2);
    expect(faults(right.replace('It is.\n\n', ''))).toEqual(['nothing says what it is']);
    const program =
      "## Install\n\nnpm install @x/a\n\n## Use\n\nimport { a } from '@x/a';\nimport b from 'b/c';\nimport d from './d.ts';\n\n## Own\n";
    expect(missing(program)).toEqual(['b']);
  });
});

it('figures in texts are those of the results', () => {
  expect(outdated()).toEqual([]);
  expect(text('README.md')).toMatch(/<!-- figures: \d+, REST, x raw -->\n\n\| REST, x raw/);
});
