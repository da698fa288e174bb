// The public names of the published packages, as their built types have them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { publishedPackages } from '../../../../scripts/packages.mjs';

/**
 * @typedef {object} PublicName
 * @property {string} name as it is imported
 * @property {string} specifier of the module, for example `@framework/client/query`
 * @property {string} short folder of the package
 * @property {string} page path of its page
 * @property {ts.Symbol} symbol
 * @property {readonly ts.Declaration[]} declarations
 * @property {string | undefined} from name of the other package that it comes from; `undefined` for ours
 */

/**
 * @param {ReturnType<typeof publishedPackages>} [packages] Default: those of the repository
 * @returns {{ checker: ts.TypeChecker, names: PublicName[], unbuilt: string[] }}
 */
export function publicNames(packages = publishedPackages()) {
  const entries = packages.flatMap(entriesOf);
  const built = entries.filter(({ types }) => existsSync(types));
  const program = ts.createProgram(
    built.map(({ types }) => types),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      // Without that of browsers, which is most of all that there is to read: nothing is told of its names.
      lib: ['lib.es2023.d.ts'],
      strict: true,
      skipLibCheck: true,
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  const names = built.flatMap((entry) => {
    const file = program.getSourceFile(entry.types);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) return [];
    const found = checker.getExportsOfModule(module).map((exported) => describe(checker, exported, entry));
    return withPages(found.sort((a, b) => a.name.localeCompare(b.name)));
  });
  const unbuilt = entries.filter((entry) => !built.includes(entry)).map(({ specifier }) => specifier);
  return { checker, names, unbuilt };
}

/** What a package lets others import that has types. */
function entriesOf({ name, folder, manifest }) {
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target?.types === 'string')
    .map(([path, target]) => ({
      specifier: path === '.' ? name : `${name}${path.slice(1)}`,
      short: folder.split(/[/\\]/).at(-1),
      sub: path === '.' ? '' : `${path.slice(2).replaceAll('/', '-')}-`,
      types: join(folder, target.types),
    }));
}

function describe(checker, exported, { specifier, short, sub }) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  // Of a class and the interface beside it, to which other packages add, the class comes first.
  symbol.declarations?.sort((a, b) => Number(ts.isClassDeclaration(b)) - Number(ts.isClassDeclaration(a)));
  const declarations = symbol.declarations ?? [];
  const from = /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(declarations[0]?.getSourceFile().fileName ?? '')?.[1];
  return { name: exported.name, specifier, short, sub, symbol, declarations, from: from?.replace('@types/', '') };
}

/** Names that differ only in case share no page: some file systems have one file for both. */
function withPages(names) {
  const taken = new Set();
  return names.map(({ sub, ...rest }) => {
    let page = `${sub}${rest.name}`;
    if (taken.has(page.toLowerCase())) page = `${page}-${kindOf(rest).toLowerCase().replaceAll(' ', '-')}`;
    taken.add(page.toLowerCase());
    return { ...rest, page: `reference/${rest.short}/${page}.md` };
  });
}

/**
 * What a public name is, in a word.
 *
 * @param {Pick<PublicName, 'symbol'>} name
 * @returns {'Class' | 'Function' | 'Interface' | 'Type' | 'Namespace' | 'Value'}
 */
export function kindOf({ symbol: { flags } }) {
  if (flags & ts.SymbolFlags.Class) return 'Class';
  if (flags & ts.SymbolFlags.Function) return 'Function';
  if (flags & ts.SymbolFlags.Variable) return 'Value';
  if (flags & ts.SymbolFlags.Interface) return 'Interface';
  return flags & ts.SymbolFlags.TypeAlias ? 'Type' : 'Namespace';
}
