import { dirname, join, relative, resolve } from 'node:path';
import type ts from 'typescript';
import { wordOf } from '../document/names.ts';
import type { Compiler } from './compiler.ts';
import { FreeNames } from './free-names.ts';
import { serviceMembers } from './service-members.ts';
import { TypePrinter } from './type-printer.ts';

/** What {@link flatTypes} is told. */
export interface FlatTypesOptions {
  /** Path of the module with the application. */
  readonly module: string;
  /** Name of the export: the application, a function that gives it, or with `isType` a map of its services. */
  readonly name: string;
  readonly isType: boolean;
  /** Path of the configuration. Default: the nearest `tsconfig.json`. */
  readonly project?: string | undefined;
}

/** Name of a module that is there for the compiler alone. */
const ASKING = '__framework-types__.ts';

/** The compiler's code for a configuration that finds no files. */
const NO_FILES = 18003;

/**
 * Types of an application's services in one text without imports, for clients that do not see its sources: `createClient<Services>(…)`.
 *
 * @throws Error for a module, an export or a configuration that the compiler does not take, and for a type that knows no services
 */
export function flatTypes(compiler: Compiler, options: FlatTypesOptions): string {
  const asking = join(dirname(resolve(options.module)), ASKING);
  const program = programOf(compiler, asking, options);
  const file = program.getSourceFile(asking);
  if (!file) throw new Error(`${options.module} can not be read`);
  const [problem] = program.getSemanticDiagnostics(file);
  if (problem) {
    const said = compiler.flattenDiagnosticMessageText(problem.messageText, '\n');
    throw new Error(`${options.module}: ${said}${adviceOn(said)}`);
  }
  const facts = file.statements.find((statement) => compiler.isTypeAliasDeclaration(statement) && statement.name.text === 'Facts');
  if (!facts) throw new Error(`${options.module} can not be read`);
  return written(compiler, program, facts, options);
}

/** What mends a problem that the compiler tells of. */
function adviceOn(said: string): string {
  if (said.includes("'@framework/client'")) return ' framework-types reads its types: npm install --save-dev @framework/client';
  if (said.includes('has no exported member'))
    return ' Name the application, or a function that gives it, by --export, or the map of its services by --type';
  if (said.includes('a declaration file')) return ' Name the source in TypeScript, such as src/app.ts';
  return '';
}

function programOf(compiler: Compiler, asking: string, { module, name, isType, project }: FlatTypesOptions): ts.Program {
  const config = project ?? compiler.findConfigFile(dirname(resolve(module)), (path) => compiler.sys.fileExists(path));
  if (config === undefined) throw new Error(`There is no tsconfig.json for ${module}: name it by --project`);
  const read = compiler.readConfigFile(config, (path) => compiler.sys.readFile(path));
  if (read.error) throw new Error(`${config}: ${compiler.flattenDiagnosticMessageText(read.error.messageText, '\n')}`);
  const parsed = compiler.parseJsonConfigFileContent(read.config, compiler.sys, dirname(resolve(config)), undefined, config);
  // The module is named: it does not matter that the configuration names none.
  const problem = parsed.errors.find(({ code }) => code !== NO_FILES);
  if (problem) throw new Error(`${config}: ${compiler.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  const compilerOptions = { ...parsed.options, noEmit: true, allowImportingTsExtensions: true, composite: false, incremental: false };
  const source = `./${relative(dirname(asking), resolve(module))}`;
  const what = `import(${JSON.stringify(source)}).${name}`;
  // An application can be called too, for a request: what is told apart is what it carries.
  const text = `import type { ClientTypes, ServiceFacts } from '@framework/client';
type Given = ${isType ? what : `typeof ${what}`};
type App = '~services' extends keyof Given ? Given : Given extends (...args: never[]) => infer Made ? Awaited<Made> : Given;
type Services = ${isType ? 'ClientTypes<Given>' : "'~services' extends keyof App ? ClientTypes<App> : {}"};
export type Facts = { [L in keyof Services & string]: ServiceFacts<Services[L]> };
`;
  const host = compiler.createCompilerHost(compilerOptions);
  const isAsking = (path: string): boolean => resolve(path) === asking;
  const withAsking: ts.CompilerHost = {
    ...host,
    fileExists: (path) => isAsking(path) || host.fileExists(path),
    readFile: (path) => (isAsking(path) ? text : host.readFile(path)),
    getSourceFile: (path, ...rest) => (isAsking(path) ? compiler.createSourceFile(path, text, rest[0]) : host.getSourceFile(path, ...rest)),
  };
  return compiler.createProgram([asking], compilerOptions, withAsking);
}

function written(compiler: Compiler, program: ts.Program, place: ts.Node, { module, name }: FlatTypesOptions): string {
  const checker = program.getTypeChecker();
  const printer = new TypePrinter(compiler, program, place, new FreeNames());
  const services = checker.getPropertiesOfType(checker.getTypeAtLocation(place));
  if (services.length === 0) {
    throw new Error(
      `${module}: the type of '${name}' has no services. Register them in one statement, const app = framework().use(…).use(…), declare them, framework<Services>(), or name their map by --type`,
    );
  }
  const sorted = [...services].sort((one, other) => (one.name < other.name ? -1 : 1));
  const maps = sorted.map((service) => {
    const facts = checker.getTypeOfSymbolAtLocation(service, place);
    const fact = (name: string): ts.Type => {
      const property = facts.getProperty(name);
      if (!property) throw new Error('framework-types needs @framework/client of the same version');
      return checker.getTypeOfSymbolAtLocation(property, place);
    };
    const propertyOf = (type: ts.Type, name: string): ts.Type | undefined => {
      const property = type.getProperty(name);
      return property && checker.getTypeOfSymbolAtLocation(property, place);
    };
    return `  ${JSON.stringify(service.name)}: {\n${serviceMembers(compiler, wordOf(service.name), { fact, propertyOf, printer })}  };\n`;
  });
  const services_ = `export interface Services {\n${maps.join('')}}\n`;
  return `// Written by framework-types: what clients see of the services. Use it as createClient<Services>(...).\n\n${printer.declarations}\n${services_}`;
}
