import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');

/** Code in a text of the repository. */
export interface Snippet {
  /** File and line, for messages. */
  readonly place: string;
  readonly language: 'js' | 'ts';
  readonly code: string;
}

/** Texts whose code is checked: what readers copy from. */
export function texts(): readonly string[] {
  const inFolders = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`),
  );
  const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
  return ['README.md', 'docs/README.md', ...guides, ...inFolders].filter((file) => file.endsWith('.md'));
}

/** The JavaScript and TypeScript of all texts. */
export function snippets(): readonly Snippet[] {
  return texts().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/^( *)```(js|ts|javascript|typescript)\b[^\n]*\n([\s\S]*?)^ *```$/gm)].map(
      ({ 2: language = '', 3: code = '', index }) => ({
        place: `${file}:${text.slice(0, index).split('\n').length}`,
        language: language.startsWith('j') ? 'js' : 'ts',
        code,
      }),
    );
  });
}

/** A part of a class, and a part of a function, are code too. */
const AROUND: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['class Example {', '}'],
  ['async function example() {', '}'],
];

/**
 * What is wrong with the syntax of a snippet.
 *
 * @returns messages; empty for code that can be parsed, as a module or as a part of a class or function
 */
export function syntaxErrors({ code, language }: Pick<Snippet, 'code' | 'language'>): readonly string[] {
  let first: readonly string[] | undefined;
  for (const [before, after] of AROUND) {
    const { diagnostics = [] } = ts.transpileModule(`${before}\n${code}\n${after}`, {
      reportDiagnostics: true,
      fileName: `example.${language}`,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    if (diagnostics.length === 0) return [];
    first ??= diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
  return first ?? [];
}

/** Errors that only say that something stands elsewhere in the reader's application: names, and packages that are not ours. */
const OF_CONTEXT: ReadonlySet<number> = new Set([2304, 2552, 2503, 2307, 7016, 18004, 2582, 2580, 7006, 7031, 7005, 7034, 2584]);

/**
 * Checks the types of snippets in TypeScript, and that those in JavaScript import what there is.
 *
 * @param given each is a module of its own
 * @returns a message for each fault, with its place
 */
export function typeErrors(given: readonly Snippet[]): readonly string[] {
  // Beside the tests, where the packages are installed; nothing is written.
  const files = new Map(given.map((snippet, index) => [join(import.meta.dirname, `snippet-${index}.ts`), snippet]));
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    esModuleInterop: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    paths: packagePaths(),
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const host = ts.createCompilerHost(options);
  // As tsc reads comments: for what they say of types alone.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const { getSourceFile, fileExists, readFile } = host;
  const codeOf = (name: string): string | undefined => {
    const snippet = files.get(name);
    return snippet && (snippet.language === 'ts' ? snippet.code : importsOf(snippet.code));
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => codeOf(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const code = codeOf(name);
    return code === undefined ? getSourceFile(name, version, ...rest) : ts.createSourceFile(name, code, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, { place }]) => {
    const file = program.getSourceFile(name);
    return program
      .getSemanticDiagnostics(file)
      .filter(({ code, messageText }) => !OF_CONTEXT.has(code) || String(messageText).includes("'@framework/"))
      .map(({ messageText, start = 0 }) => {
        const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
        return `${place}, line ${line + 1} of the code: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
  });
}

/** Types of our packages by what imports them, so that texts may name packages that this one does not depend on. */
function packagePaths(): Record<string, string[]> {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  return Object.fromEntries(
    folders.flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        exports?: Record<string, string | { types?: string }>;
      };
      return Object.entries(exports).flatMap(([path, target]) => {
        const types = typeof target === 'string' ? undefined : target.types;
        return types === undefined ? [] : [[path === '.' ? name : name + path.slice(1), [join(folder, types)]]];
      });
    }),
  );
}

/** The imports of a module alone: code in JavaScript has no types to check. */
function importsOf(code: string): string {
  return [...code.matchAll(/^import [\s\S]*?;$/gm)].map(([statement]) => statement).join('\n');
}
