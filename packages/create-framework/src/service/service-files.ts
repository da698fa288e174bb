import { choiceFacts } from '../project/template-values.ts';
import type { Files } from '../project/project-files.ts';
import { readTemplate } from '../templates/read-template.ts';
import { renderTemplate } from '../templates/render-template.ts';
import type { ApplicationStyle } from './read-application.ts';
import type { ServiceName } from './service-name.ts';
import { serviceValues } from './service-values.ts';

/** The files of one service in an application. */
export function serviceFiles(name: ServiceName, style: ApplicationStyle): Files {
  const { language, database, login, realtime, testable, listens } = style;
  const facts = choiceFacts({
    language,
    database: { kind: database ? 'embedded' : 'memory' },
    login: login ? 'local' : 'none',
    realTime: realtime ? 'sse' : 'none',
  });
  const rendered = { facts: new Set([...facts, ...(listens ? ['listens'] : [])]), values: serviceValues(name, { language, login }) };
  const files = new Map([[`src/services/${name.file}.${language}`, renderTemplate(readTemplate('src/services/service.ts'), rendered)]]);
  if (testable) files.set(`test/${name.file}.test.${language}`, renderTemplate(readTemplate('test/service.test.ts'), rendered));
  return files;
}
