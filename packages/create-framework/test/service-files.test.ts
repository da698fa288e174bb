import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import typescript from 'typescript';
import { projectFiles } from '../src/index.ts';
import { readApplication, type ApplicationStyle } from '../src/service/read-application.ts';
import { serviceFiles } from '../src/service/service-files.ts';
import { serviceNameOf } from '../src/service/service-name.ts';
import { options } from './options.ts';

const STYLES: readonly ApplicationStyle[] = (['ts', 'js'] as const).flatMap((language) =>
  [false, true].flatMap((database) =>
    [false, true].map((login): ApplicationStyle => ({ language, database, login, realtime: true, testable: true, listens: true })),
  ),
);

/** What a file declares and imports at its top. */
function declared(file: string, text: string): string[] {
  const { statements } = typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2022, true);
  return statements.flatMap((statement) => {
    if (typescript.isImportDeclaration(statement)) return namesOf(statement.importClause?.namedBindings);
    if (typescript.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
    return 'name' in statement && !typescript.isModuleDeclaration(statement) ? [(statement.name as typescript.Node).getText()] : [];
  });
}

const namesOf = (bindings: typescript.NamedImportBindings | undefined): string[] =>
  bindings && typescript.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];

const sources = (path: string, style: ApplicationStyle): [file: string, text: string][] => [...serviceFiles(serviceNameOf(path), style)];

function isPossible(path: string): boolean {
  try {
    return serviceNameOf(path).path === path;
  } catch {
    return false;
  }
}

/** Words of all that is written for a service: each may be the name of another. */
const words = new Set(STYLES.flatMap((style) => sources('messages', style)).flatMap(([, text]) => text.match(/[A-Za-z]\w*/g) ?? []));

it.each(STYLES.map((style) => [JSON.stringify(style), style] as const))(
  'declares no name twice, whatever a service is called: %s',
  (_title, style) => {
    const twice = [...words]
      .filter(isPossible)
      .flatMap((word) => sources(word, style).map(([file, text]) => ({ word, names: declared(file, text) })))
      .flatMap(({ word, names }) => names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${word}: ${name}`));
    expect([words.size > 50, twice]).toEqual([true, []]);
  },
);

it('has a test of events where the tests of the application can listen to them, and none in older applications', () => {
  const style: ApplicationStyle = { language: 'ts', database: false, login: true, realtime: true, testable: true, listens: true };
  const written = (listens: boolean): string =>
    serviceFiles(serviceNameOf('orders'), { ...style, listens }).get('test/orders.test.ts') ?? '';
  expect(written(true)).toContain("await app.listen('orders created', token)");
  expect(written(false)).toContain("describe('orders'");
  expect(written(false)).not.toContain('listen');
});

it('sees in the tests of an application whether they can listen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'application-'));
  const listensWith = (realTime: 'none' | 'sse' | 'socketio'): boolean => {
    for (const [file, text] of projectFiles(options({ realTime }), '')) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return readApplication(folder).listens;
  };
  try {
    expect((['none', 'sse', 'socketio'] as const).map(listensWith)).toEqual([false, true, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
