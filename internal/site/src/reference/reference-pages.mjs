// The reference: a page for each public name, one for each package, and one for all.
import { namePage } from './name-page.mjs';
import { descriptionOfSymbol, inShort } from './doc-comment.mjs';
import { kindOf, publicNames } from './public-names.mjs';

const KINDS = [
  ['Class', 'Classes'],
  ['Function', 'Functions'],
  ['Value', 'Values'],
  ['Interface', 'Interfaces'],
  ['Type', 'Types'],
  ['Namespace', 'Namespaces'],
];

/**
 * @param {Parameters<typeof publicNames>[0]} [given] packages. Default: those of the repository
 * @returns {{ pages: Map<string, string>, problems: string[], names: import('./public-names.mjs').PublicName[] }} text by page, and public
 *   names that nothing describes
 */
export function referencePages(given) {
  const { checker, names, unbuilt } = publicNames(given);
  const problems = unbuilt.map((specifier) => `${specifier} is not built: \`pnpm build\` comes before the reference`);
  // A name that several packages export has its links go to the one that declares it, which comes first in the graph.
  const pages = new Map();
  for (const { symbol, page } of names) if (!pages.has(symbol)) pages.set(symbol, page);
  const made = new Map();
  for (const named of names) {
    if (inShort(descriptionOfSymbol(named.symbol, checker)) === '' && named.from === undefined)
      problems.push(`${named.name} of ${named.specifier} has no doc comment`);
    made.set(named.page, namePage(named, checker, pages));
  }
  const packages = [...new Set(names.map(({ short }) => short))];
  for (const short of packages) made.set(`reference/${short}/index.md`, packagePage(short, names, checker));
  made.set('reference/index.md', overview(packages, names));
  return { pages: made, problems, names };
}

function packagePage(short, names, checker) {
  const own = names.filter((named) => named.short === short);
  const parts = KINDS.flatMap(([kind, title]) => {
    const rows = own.filter((named) => kindOf(named) === kind);
    if (rows.length === 0) return [];
    return [`## ${title}`, rows.map((named) => `- ${link(named, short)}${firstSentence(named, checker)}`).join('\n')];
  });
  return `${[`# ${own[0]?.specifier.split('/').slice(0, 2).join('/')}`, `What it is for: [${short}](../../packages/${short}.md).`, ...parts].join('\n\n')}\n`;
}

const link = ({ name, page, short }, from) => `[${name}](${from === short ? './' : `./${short}/`}${page.split('/').at(-1)})`;

function firstSentence({ symbol, from }, checker) {
  const summary = inShort(descriptionOfSymbol(symbol, checker));
  if (summary === '') return from === undefined ? '' : `: of ${from}`;
  return `: ${summary.replace(/\s*\n\s*/g, ' ').split(/(?<=[.!?]) (?=[A-Z])/)[0]}`;
}

function overview(packages, names) {
  const lines = packages.map((short) => {
    const own = names.filter((named) => named.short === short);
    return `## ${short}\n\n[${own.length} names](./${short}/index.md): ${own.map((named) => link(named, '')).join(', ')}`;
  });
  const text = 'A page for every public name, made of the doc comments of the packages.';
  return `# Reference\n\n${text}\n\n${lines.join('\n\n')}\n`;
}
