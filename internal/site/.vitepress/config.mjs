import { defineConfig } from 'vitepress';
import { nav, sidebar } from '../src/navigation.mjs';
import { showTitles } from '../src/fence-title.mjs';
import { builtFolder, pagesFolder } from '../src/root.mjs';
import { leaveSearchedPlain, searchedHtml } from '../src/searched-text.mjs';
import { slug } from '../src/slug.mjs';

export default defineConfig({
  lang: 'en',
  title: 'Framework',
  description: 'An application service framework for Node.js in TypeScript',
  // Another address than the root of a host: SITE_BASE=/framework/
  base: process.env.SITE_BASE ?? '/',
  srcDir: pagesFolder,
  outDir: builtFolder,
  cacheDir: '.cache',
  metaChunk: true,
  // Links between pages of the repository are checked, anchors too, before this builds.
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Nothing in these texts is HTML; `<` is what it says.
    html: false,
    anchor: { slugify: slug },
    config: (md) => {
      showTitles(md);
      leaveSearchedPlain(md);
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    build: { chunkSizeWarningLimit: 4_000 },
  },
  themeConfig: {
    nav: nav(),
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: searchedHtml,
        detailedView: true,
        miniSearch: { searchOptions: { boostDocument: (id) => (id.startsWith('/reference/') ? 0.6 : 1) } },
      },
    },
    externalLinkIcon: true,
  },
});
