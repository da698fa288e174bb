import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../docs/guides');

/** Code of a guide, between fences. */
export interface Block {
  readonly language: string;
  /** What stands behind the language: the name of a file, `run`, `output`, or nothing. */
  readonly title: string;
  readonly code: string;
}

/** Names of all guides, without their ending. */
export const guideNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace(/\.md$/, ''))
  .sort();

/** The code of a guide, in its order. */
export function blocksOf(name: string): readonly Block[] {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  return [...text.matchAll(/^ *```(\w+)(?: (\S+))?\n([\s\S]*?)^ *```$/gm)].map(([, language = '', title = '', code = '']) => ({
    language,
    title,
    code,
  }));
}

/** Files that a guide tells its reader to write, by name. */
export function filesOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  const files = blocks.filter(({ title }) => /\.(js|json|html)$/.test(title));
  return Object.fromEntries(files.map(({ title, code }) => [title, code]));
}

/** Commands that a guide runs, and what it says that they print: `undefined` where it says nothing. */
export function runsOf(blocks: readonly Block[]): readonly { readonly command: string; readonly output: string | undefined }[] {
  return blocks.flatMap(({ title, code }, index) => {
    if (title !== 'run') return [];
    const next = blocks[index + 1];
    return [{ command: code, output: next?.title === 'output' ? next.code : undefined }];
  });
}
