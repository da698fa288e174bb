import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
/** The oldest compiler that is promised, and the last one in JavaScript: both follow some types further than the one in Go, with which the sources are checked. */
const COMPILERS = { '5.8': 'packages/openapi/node_modules/typescript-5.8', '6.0': 'node_modules/typescript' };

export type Version = keyof typeof COMPILERS;
export const VERSIONS = Object.keys(COMPILERS) as Version[];

interface Compiled {
  readonly errors: string;
  readonly declarations: string;
  /** How many types the compiler makes of others for this module, after the modules in front of it. */
  readonly instantiations: number;
}

const SETTINGS = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: 'out',
  types: ['node'],
};

/** Compiles what users may write, with the packages as they are built, in a folder beside the tests of a file, so that packages are found. */
export class CompiledTypes<Name extends string> {
  readonly #sources: Readonly<Record<Name, string>>;
  readonly #folder: string = mkdtempSync(join(import.meta.dirname, 'types-'));
  readonly #compiled = new Map<Version, Readonly<Record<Name, Compiled>>>();

  /** @param sources modules that have nothing to do with each other: one program of all of them looks at the packages once */
  constructor(sources: Readonly<Record<Name, string>>) {
    this.#sources = sources;
  }

  /** @returns what one compiler makes of a module */
  of(version: Version, name: Name): Compiled {
    const compiled = this.#compiled.get(version) ?? this.#compile(version);
    this.#compiled.set(version, compiled);
    return compiled[name];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #compile(version: Version): Readonly<Record<Name, Compiled>> {
    const compiler = createRequire(import.meta.url)(join(root, COMPILERS[version])) as typeof ts;
    const project = mkdtempSync(join(this.#folder, version));
    const names = Object.keys(this.#sources) as Name[];
    for (const name of names) writeFileSync(join(project, `${name}.ts`), this.#sources[name]);
    const files = names.map((name) => `${name}.ts`);
    const { options, fileNames, errors } = compiler.parseJsonConfigFileContent({ compilerOptions: SETTINGS, files }, compiler.sys, project);
    const program = compiler.createProgram(fileNames, options);
    const host = { getCanonicalFileName: (path: string) => path, getCurrentDirectory: () => project, getNewLine: () => '\n' };
    const compiledOf = (name: Name): Compiled => {
      const file = program.getSourceFile(join(project, `${name}.ts`));
      const before = program.getInstantiationCount();
      const found = [...errors, ...compiler.getPreEmitDiagnostics(program, file)];
      const instantiations = program.getInstantiationCount() - before;
      let declarations = '';
      const emitted = program.emit(file, (_path, text) => (declarations += text));
      const all = compiler.sortAndDeduplicateDiagnostics([...found, ...emitted.diagnostics]);
      return { errors: compiler.formatDiagnostics(all, host), declarations, instantiations };
    };
    return Object.fromEntries(names.map((name) => [name, compiledOf(name)])) as Record<Name, Compiled>;
  }
}
