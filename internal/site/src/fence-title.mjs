/** What stands above a code block, by the title behind its language. */
const TITLES = new Map([
  ['output', 'It prints'],
  ['run', 'Run'],
]);

/**
 * Shows the titles of code blocks: names of files, and what commands print.
 *
 * @param {import('markdown-it').default} md
 */
export function showTitles(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, title = ''] = tokens[index].info.trim().split(/\s+/);
    const shown = TITLES.get(title) ?? (/^[\w-]+\.\w+$/.test(title) ? title : undefined);
    const code = fence(tokens, index, ...rest);
    return shown === undefined ? code : `<p class="code-title">${shown}</p>${code}`;
  };
}
