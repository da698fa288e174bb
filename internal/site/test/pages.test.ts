import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Gathered {
  readonly pages: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}
type Pages = ReadonlyMap<string, string>;

/** Scripts of the site, which have no types. */
const script = async (name: string): Promise<any> => import(new URL(`../src/${name}`, import.meta.url).href);
const { gather } = (await script('gather.mjs')) as { gather: () => Gathered };
const { relink } = (await script('links.mjs')) as {
  relink: (file: string, text: string, pages: Pages) => { text: string; dead: string[] };
};
const { sourcePages } = (await script('sources.mjs')) as { sourcePages: () => Pages };
const { referencePages } = (await script('reference/reference-pages.mjs')) as { referencePages: (given?: unknown) => Gathered };

/** What the scripts use of the renderer of Markdown. */
interface Renderer {
  readonly renderer: { rules: { fence: Fence } };
  render(source: string, env: object): string;
}
type Fence = (
  tokens: readonly { content: string }[],
  index: number,
  options: { highlight: (code: string) => string },
  env: object,
) => string;
const { leaveSearchedPlain, searchedHtml } = (await script('searched-text.mjs')) as {
  leaveSearchedPlain: (md: Renderer) => void;
  searchedHtml: (source: string, env: object, md: Renderer) => string;
};

const root = join(import.meta.dirname, '../../..');
const { pages, problems } = gather();

describe('the pages', () => {
  it('have no dead links, and every public name is described', () => {
    expect(problems).toEqual([]);
    expect(pages.size).toBeGreaterThan(500);
  });

  it('are there for every public name that the reports of the packages have', () => {
    const reports = readdirSync(join(root, 'docs/api'));
    const named = reports.flatMap((report) => {
      const text = readFileSync(join(root, 'docs/api', report), 'utf8');
      const names = [...text.matchAll(/^export (?:abstract )?(?:class|function|interface|type|const) (\w+)/gm)].map((match) => match[1]);
      const others = [...text.matchAll(/^export \{ (?:\w+ as )?(\w+) \}/gm)].map((match) => match[1]);
      return [...new Set([...names, ...others])].map((name) => `reference/${report.replace(/\.md$/, '')}/${name}.md`);
    });
    const lower = new Set([...pages.keys()].map((page) => page.toLowerCase()));
    expect(named.length).toBeGreaterThan(450);
    expect(named.filter((page) => !lower.has(page.toLowerCase()))).toEqual([]);
  });

  it('of the reference say what a name is, and have its parameters, errors and members', () => {
    const service = String(pages.get('reference/adapter-docdb/DocDbService.md'));
    expect(service).toContain("import { DocDbService } from '@framework/adapter-docdb';");
    expect(service).toMatch(/### find\n\n[A-Z]/);
    expect(String(pages.get('reference/query/parseQuery.md'))).toMatch(
      /\*\*Parameters\*\*\n\n- `query`: .+\n- `options`: [\s\S]+\*\*Returns\*\* [\s\S]+BadRequest \(400\)/,
    );
    expect(String(pages.get('reference/schema/Type.md'))).toContain('[@sinclair/typebox]');
  });

  it('lead to each other where files of the repository do', () => {
    const { text, dead } = relink(
      'docs/guides/query.md',
      '[a](../../packages/core/README.md#use) [b](../../turbo.json) [c](#pages)',
      sourcePages(),
    );
    expect(dead).toEqual([]);
    expect(text).toMatch(/^\[a\]\(\.\.\/packages\/core\.md#use\) \[b\]\(https:\/\/\S+\/turbo\.json\) \[c\]\(#pages\)$/);
  });
});

it('the search indexes the text of code, which is coloured for its page alone', () => {
  const coloured: string[] = [];
  const highlight = (code: string): string => {
    coloured.push(code);
    return `<pre><code><span>a </span><span>&#x3C; b &#x26;&#x26; c</span></code></pre>`;
  };
  // One that takes all for code.
  const rules: Renderer['renderer']['rules'] = { fence: ([token], _index, options) => options.highlight(String(token?.content)) };
  const md: Renderer = {
    renderer: { rules },
    render: (content, env) => rules.fence([{ content }], 0, { highlight }, env),
  };
  leaveSearchedPlain(md);
  const [page, searched] = [md.render('a < b && c\n', {}), searchedHtml('a < b && c\n', {}, md)];
  expect(searched.replace(/<[^>]*>/g, '')).toBe(page.replace(/<[^>]*>/g, ''));
  expect(coloured).toEqual(['a < b && c\n']);
  expect(searchedHtml('a', { frontmatter: { search: false } }, md)).toBe('');
});

describe('the checks find', () => {
  it('a file and an anchor that are not there, and leave code alone', () => {
    const text = '[a](nowhere.md) [b](query.md#nowhere) [c](#nowhere) `[d](nowhere.md)`\n\n```md\n[e](nowhere.md)\n```\n';
    expect(relink('docs/guides/query.md', text, sourcePages()).dead).toEqual(['nowhere.md', 'query.md#nowhere', '#nowhere']);
  });

  it('a public name without a doc comment, and a package that is not built', () => {
    const folder = mkdtempSync(join(tmpdir(), 'names-'));
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/index.d.ts'), '/** Said. */\nexport declare const said: 1;\nexport declare const unsaid: 2;\n');
    const exports = { '.': { types: './dist/index.d.ts' }, './more': { types: './dist/more.d.ts' } };
    const found = referencePages([{ name: '@framework/names', folder, manifest: { exports } }]);
    rmSync(folder, { recursive: true });
    expect(found.problems).toEqual([
      expect.stringContaining('@framework/names/more is not built'),
      'unsaid of @framework/names has no doc comment',
    ]);
    expect([...found.pages.keys()].filter((page) => page.endsWith('/said.md'))).toHaveLength(1);
  });
});
