// What stands in the navigation, by the files of the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicNames } from './reference/public-names.mjs';
import { root } from './root.mjs';
import { sourcePages } from './sources.mjs';

/** Guides by task. A guide that is not named here fails a check. */
export const GUIDES = {
  Start: ['quick-start', 'services-and-hooks', 'query', 'errors', 'common-tasks', 'testing'],
  Data: ['schemas-and-relations', 'database', 'writing-an-adapter'],
  'Logging in': ['authentication', 'browser-sessions', 'second-factors', 'machine-tokens', 'oauth', 'writing-a-strategy'],
  Clients: ['client', 'real-time', 'openapi'],
  Running: ['deployment', 'tracing', 'performance', 'security'],
  'Coming from elsewhere': ['migrating'],
};

export function nav() {
  return [
    { text: 'Start', link: '/' },
    { text: 'Guides', link: '/guides/services-and-hooks', activeMatch: '^/guides/' },
    { text: 'Packages', link: '/packages/core', activeMatch: '^/packages/' },
    { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
    { text: 'Examples', link: '/examples/rest-api', activeMatch: '^/examples/' },
    { text: 'Decisions', link: '/decisions/0001-dependencies', activeMatch: '^/decisions/' },
  ];
}

export function sidebar() {
  const pages = sourcePages();
  const inFolder = (folder) => [...pages].filter(([, page]) => page.startsWith(`${folder}/`)).map(([file]) => item(file, pages));
  const guides = Object.entries(GUIDES).map(([text, names]) => ({
    text,
    items: names.map((name) => `docs/guides/${name}.md`).flatMap((file) => (pages.has(file) ? [item(file, pages)] : [])),
  }));
  const project = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/quality.md', 'docs/spec/clauses.md', 'docs/spec/security.md'];
  const about = [
    ...guides,
    { text: 'Figures', items: ['benchmarks/RESULTS.md', 'benchmarks/LIMITS.md'].map((file) => item(file, pages)) },
    { text: 'The project', items: project.map((file) => item(file, pages)) },
  ];
  return {
    '/': about,
    '/packages/': [{ text: 'Packages', items: inFolder('packages') }],
    '/examples/': [{ text: 'Examples', items: inFolder('examples') }],
    '/decisions/': [{ text: 'Decisions', items: inFolder('decisions') }],
    ...referenceSidebars(),
  };
}

/** The names of one package, and a line for each other: all names on each page would be most of the site. */
function referenceSidebars() {
  const { names } = publicNames();
  const shorts = [...new Set(names.map(({ short }) => short))];
  const of = (open) =>
    shorts.map((short) => ({
      text: short,
      link: `/reference/${short}/`,
      ...(short === open && {
        items: names.filter((named) => named.short === short).map(({ name, page }) => ({ text: name, link: linkTo(page) })),
      }),
    }));
  const sidebarOf = (open) => [{ text: 'Reference', items: [{ text: 'All names', link: '/reference/' }, ...of(open)] }];
  return Object.fromEntries([...shorts.map((short) => [`/reference/${short}/`, sidebarOf(short)]), ['/reference/', sidebarOf(undefined)]]);
}

const linkTo = (page) => `/${page.replace(/\.md$/, '')}`;

function item(file, pages) {
  const [, title = file] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  return {
    text: title
      .split(': ')[0]
      .replace(/[`*]/g, '')
      .replace(/^@framework\//, ''),
    link: linkTo(String(pages.get(file))),
  };
}

/** @returns {string[]} guides that the navigation does not name */
export function guidesLeftOut() {
  const named = Object.values(GUIDES).flat();
  return readdirSync(join(root, 'docs/guides')).filter((file) => file.endsWith('.md') && !named.includes(file.replace(/\.md$/, '')));
}
