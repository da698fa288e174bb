import { dirname, join, relative, resolve } from 'node:path';
import type ts from 'typescript';
import { wordOf } from '../document/names.ts';
import type { Compiler } from './compiler.ts';
import { TypePrinter } from './type-printer.ts';

/** What {@link flatTypes} is told. */
export interface FlatTypesOptions {
  /** Path of the module with the application. */
  readonly module: string;
  /** Name of the export: the application, or with `isType` a map of its services. */
  readonly name: string;
  readonly isType: boolean;
  /** Path of the configuration. Default: the nearest `tsconfig.json`. */
  readonly project?: string | undefined;
}

/** Name of a module that is there for the compiler alone. */
const ASKING = '__framework-types__.ts';

/**
 * Types of an application's services in one text without imports, for clients that do not see its sources: `createClient<Services>(…)`.
 *
 * @throws Error for a module, an export or a configuration that the compiler does not take
 */
export function flatTypes(compiler: Compiler, options: FlatTypesOptions): string {
  const asking = join(dirname(resolve(options.module)), ASKING);
  const program = programOf(compiler, asking, options);
  const file = program.getSourceFile(asking);
  if (!file) throw new Error(`${options.module} can not be read`);
  const [problem] = program.getSemanticDiagnostics(file);
  if (problem) throw new Error(`${options.module}: ${compiler.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  const checker = program.getTypeChecker();
  const facts = file.statements.find((statement) => compiler.isTypeAliasDeclaration(statement) && statement.name.text === 'Facts');
  if (!facts) throw new Error(`${options.module} can not be read`);
  return written(compiler, checker, facts);
}

function programOf(compiler: Compiler, asking: string, { module, name, isType, project }: FlatTypesOptions): ts.Program {
  const config = project ?? compiler.findConfigFile(dirname(resolve(module)), (path) => compiler.sys.fileExists(path));
  if (config === undefined) throw new Error(`There is no tsconfig.json for ${module}: name it by --project`);
  const read = compiler.readConfigFile(config, (path) => compiler.sys.readFile(path));
  if (read.error) throw new Error(compiler.flattenDiagnosticMessageText(read.error.messageText, '\n'));
  const parsed = compiler.parseJsonConfigFileContent(read.config, compiler.sys, dirname(resolve(config)));
  const compilerOptions = { ...parsed.options, noEmit: true, allowImportingTsExtensions: true, composite: false, incremental: false };
  const source = `./${relative(dirname(asking), resolve(module))}`;
  const what = `import(${JSON.stringify(source)}).${name}`;
  const text = `import type { ClientTypes, ServiceFacts } from '@framework/client';
type Services = ClientTypes<${isType ? what : `typeof ${what}`}>;
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

function written(compiler: Compiler, checker: ts.TypeChecker, place: ts.Node): string {
  const printer = new TypePrinter(compiler, checker, place);
  const services = checker.getPropertiesOfType(checker.getTypeAtLocation(place));
  const sorted = [...services].sort((one, other) => (one.name < other.name ? -1 : 1));
  const maps = sorted.map((service) => {
    const facts = checker.getTypeOfSymbolAtLocation(service, place);
    const fact = (name: string): ts.Type => {
      const property = facts.getProperty(name);
      if (!property) throw new Error('framework-types needs @framework/client of the same version');
      return checker.getTypeOfSymbolAtLocation(property, place);
    };
    return `  ${JSON.stringify(service.name)}: {\n${membersOf(wordOf(service.name), fact, printer, checker, place)}  };\n`;
  });
  const services_ = `export interface Services {\n${maps.join('')}}\n`;
  return `// Written by framework-types: what clients see of the services. Use it as createClient<Services>(...).\n\n${printer.declarations}\n${services_}`;
}

type Fact = (name: string) => ts.Type;

function membersOf(word: string, fact: Fact, printer: TypePrinter, checker: ts.TypeChecker, place: ts.Node): string {
  const methods = printer
    .print(fact('methods'))
    .split(' | ')
    .flatMap((name) => (name === 'never' ? [] : [JSON.parse(name) as string]));
  const is = (name: string): boolean => printer.print(fact(name)) === 'true';
  const record = printer.declare(word, fact('record'));
  const data = methods.some((name) => name === 'create' || name === 'update') ? printer.declare(`${word}Data`, fact('data')) : 'never';
  const patch = methods.includes('patch') ? printer.declare(`${word}Patch`, fact('patch')) : 'never';
  const params = `params?: { query?: ${printer.declare(`${word}Query`, fact('query'))} }`;
  const id = 'id: string | number';
  const idOr = (all: boolean): string => (all ? `${id} | null` : id);
  const standard: Readonly<Record<string, () => string>> = {
    find: () => `(${params}): Promise<${printer.print(fact('found'))}>`,
    get: () => `(${id}, ${params}): Promise<${record}>`,
    create: () => `(data: ${data}${is('lists') ? ` | readonly ${data}[]` : ''}, ${params}): Promise<${record}>`,
    update: () => `(${id}, data: ${data}, ${params}): Promise<${record}>`,
    patch: () => `(${idOr(is('patchesAll'))}, data: ${patch}, ${params}): Promise<${record}>`,
    remove: () => `(${idOr(is('removesAll'))}, ${params}): Promise<${record}>`,
  };
  const lines = methods.map((name) => {
    const known = Object.hasOwn(standard, name) ? standard[name] : undefined;
    if (known) return `    ${name}${known()};\n`;
    const of = (facts: string): string => {
      const property = fact(facts).getProperty(name);
      return property ? printer.print(checker.getTypeOfSymbolAtLocation(property, place)) : 'unknown';
    };
    const given = of('customData');
    const isOptional = given.split(' | ').includes('undefined');
    return `    ${JSON.stringify(name)}(${given === 'undefined' ? '' : `data${isOptional ? '?' : ''}: ${given}`}): Promise<${of('customResults')}>;\n`;
  });
  const names = methods.map((name) => JSON.stringify(name)).join(', ');
  return `${lines.join('')}    readonly '~registration'?: { readonly methods: readonly [${names}] };\n`;
}
