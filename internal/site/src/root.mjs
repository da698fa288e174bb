import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[/\\]$/, '');
/** Folder of this package. */
export const site = join(root, 'internal/site');
/** Where the pages are gathered, with links between pages. Made anew each time; not committed. */
export const pagesFolder = join(site, 'pages');
/** Where the built site is. */
export const builtFolder = join(site, 'dist');
/** Where sources are read that are no pages. */
export const SOURCES = 'https://github.com/framework/framework/blob/main';
