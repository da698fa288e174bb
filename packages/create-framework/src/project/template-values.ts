import { commandsOf } from '../package-manager/commands.ts';
import type { ProjectOptions } from '../project-options.ts';
import { serviceNameOf } from '../service/service-name.ts';
import { serviceValues } from '../service/service-values.ts';
import type { TemplateFacts } from '../templates/render-template.ts';
import { databaseNameOf } from './database-name.ts';
import { dependenciesOf } from './project-packages.ts';
import { repeatCommand } from './repeat-command.ts';
import { VERSIONS } from './versions.ts';

/** What the templates of a project ask for. */
export function templateFacts(options: ProjectOptions, secret: string): TemplateFacts {
  const { name, packageManager, database, realTime } = options;
  const { dependencies, devDependencies } = dependenciesOf(options);
  const { installLocked, prune, run, start, dashes, manifests } = commandsOf(packageManager);
  // npm comes with Node.js.
  const pinned = packageManager.name !== 'npm' && packageManager.version !== '' ? ['pinned'] : [];
  const listens = realTime === 'none' ? [] : ['listens'];
  const facts = new Set<string>([...choiceFacts(options), packageManager.name, ...pinned, ...listens]);
  return {
    facts,
    values: {
      ...serviceValues(serviceNameOf('messages'), { language: options.language, login: options.login !== 'none' }),
      name,
      databaseName: databaseNameOf(name),
      version: VERSIONS['create-framework'] ?? 'latest',
      secret,
      command: repeatCommand(options),
      databaseUrl: database.kind === 'mongodb' ? database.url : '',
      dependencies: json(dependencies),
      devDependencies: json(devDependencies),
      // A lock file is read by the version that has written it, or a newer one.
      packageManager: [packageManager.name, packageManager.version].filter((part) => part !== '').join('@'),
      install: installLocked,
      prune,
      run,
      start,
      dashes,
      manifests,
    },
  };
}

/** The conditions that follow from what was chosen. */
export function choiceFacts(options: Pick<ProjectOptions, 'language' | 'login' | 'realTime'> & { database: { kind: string } }): string[] {
  const { language, database, login, realTime } = options;
  return [
    language,
    database.kind,
    ...(database.kind === 'memory' ? [] : ['database']),
    ...(login === 'none' ? [] : ['login']),
    ...(login === 'oauth' ? ['oauth'] : []),
    ...(realTime === 'none' ? [] : ['realtime', realTime]),
  ];
}

/** An object inside the manifest, which is indented by two. */
const json = (value: object): string => JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
