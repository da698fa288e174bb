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
