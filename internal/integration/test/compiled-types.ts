import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sharingFiles } from '@framework-internal/testing/sharing-files';
import type ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
/** The oldest compiler that is promised, and the last one in JavaScript: both follow some types further than the one in Go, with which the sources are checked. */
const COMPILERS = { '5.8': 'packages/openapi/node_modules/typescript-5.8', '6.0': 'node_modules/typescript' };

export type Version = keyof typeof COMPILERS;
export const VERSIONS = Object.keys(COMPILERS) as Version[];

interface Compiled {
  readonly errors: string;
  readonly declarations: string;
  /** How many types the compiler makes of others. */
  readonly instantiations: number;
}

const SETTINGS = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  noEmitOnError: true,
  outDir: 'out',
  types: ['node'],
};

/** Compiles what a user may write, with the packages as they are built, in a folder beside the tests of a file, so that packages are found. */
export class CompiledTypes {
  readonly #folder: string = mkdtempSync(join(import.meta.dirname, 'types-'));
  readonly #compilers = new Map<Version, typeof ts>();

  /** Every text is a program of its own; declarations of packages are read once. */
  compile(version: Version, source: string): Compiled {
    const compiler = this.#compilerOf(version);
    const project = mkdtempSync(join(this.#folder, version));
    writeFileSync(join(project, 'index.ts'), source);
    const { options, fileNames, errors } = compiler.parseJsonConfigFileContent(
      { compilerOptions: SETTINGS, files: ['index.ts'] },
      compiler.sys,
      project,
    );
    const program = compiler.createProgram(fileNames, options, compiler.createCompilerHost(options));
    let declarations = '';
    const emitted = program.emit(undefined, (_path, text) => (declarations += text));
    const found = compiler.sortAndDeduplicateDiagnostics([...errors, ...compiler.getPreEmitDiagnostics(program), ...emitted.diagnostics]);
    const host = { getCanonicalFileName: (path: string) => path, getCurrentDirectory: () => project, getNewLine: () => '\n' };
    return { errors: compiler.formatDiagnostics(found, host), declarations, instantiations: program.getInstantiationCount() };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #compilerOf(version: Version): typeof ts {
    const known = this.#compilers.get(version);
    if (known) return known;
    const made = sharingFiles(createRequire(import.meta.url)(join(root, COMPILERS[version])) as typeof ts, this.#folder);
    this.#compilers.set(version, made);
    return made;
  }
}
