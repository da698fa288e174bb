import { expect, it } from '@jest/globals';
import typescript from 'typescript';
import type { ApplicationStyle } from '../src/service/read-application.ts';
import { serviceFiles } from '../src/service/service-files.ts';
import { serviceNameOf } from '../src/service/service-name.ts';

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
