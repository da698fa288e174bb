import { hasPlugAndPlay } from '../package-manager/commands.ts';
import type { ProjectOptions } from '../project-options.ts';
import { readTemplate } from '../templates/read-template.ts';
import { renderTemplate } from '../templates/render-template.ts';
import { auditFile } from './audit-file.ts';
import { templateFacts } from './template-values.ts';

/** Texts of files by their paths, which have `/` between their parts. */
export type Files = ReadonlyMap<string, string>;

/**
 * The files of a project.
 *
 * @param secret signs the tokens of logins
 */
export function projectFiles(options: ProjectOptions, secret: string): Files {
  const { language, login, database } = options;
  const facts = templateFacts(options, secret);
  const sources: Record<string, string> = {
    'package.json': 'package.json',
    'tsconfig.json': 'tsconfig.json',
    'eslint.config.js': 'eslint.config.js',
    '.gitignore': 'gitignore',
    '.github/workflows/ci.yml': 'github/ci.yml',
    Dockerfile: 'Dockerfile',
    'AGENTS.md': 'AGENTS.md',
    'README.md': 'README.md',
    [`src/app.${language}`]: 'src/app.ts',
    [`src/main.${language}`]: 'src/main.ts',
    [`src/services/index.${language}`]: 'src/services/index.ts',
    [`src/services/messages.${language}`]: 'src/services/service.ts',
    [`test/start-app.${language}`]: 'test/start-app.ts',
    [`test/app.test.${language}`]: 'test/app.test.ts',
    [`test/messages.test.${language}`]: 'test/service.test.ts',
  };
  if (login !== 'none') sources[`src/services/users.${language}`] = 'src/services/users.ts';
  if (database.kind !== 'memory') sources[`src/database.${language}`] = 'src/database.ts';
  if (login !== 'none' || database.kind !== 'memory') sources['.env'] = 'env';
  const files = new Map(Object.entries(sources).map(([path, template]) => [path, renderTemplate(readTemplate(template), facts)]));
  files.set('audit.json', auditFile(options));
  if (hasPlugAndPlay(options.packageManager)) files.set('.yarnrc.yml', 'nodeLinker: node-modules\n');
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
