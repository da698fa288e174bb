import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

interface Manifest {
  readonly types?: string;
  readonly typings?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Packages of others whose types stand in the public types of a package, as docs/api has them. */
function packagesInTypes(short: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/api', `${short}.md`), 'utf8');
  const specifiers = [...text.matchAll(/^import .* from '((?:@[^/']+\/)?[^/']+)[^']*';$/gm)].map(([, name = '']) => name);
  return [...new Set(specifiers)].filter((name) => !name.startsWith('node:') && !name.startsWith('@framework/'));
}

const used = readdirSync(join(root, 'packages')).flatMap((short) => packagesInTypes(short).map((name) => [short, name] as const));

it('there are packages whose public types name those of others', () => {
  expect(used.length).toBeGreaterThan(5);
});

// Without them TypeScript takes `any` for all that is named, and says nothing where `skipLibCheck` is set.
it.each(used)('who installs %s has the types of %s too', (short, name) => {
  const folder = join(root, 'packages', short);
  const { dependencies = {}, peerDependencies = {} } = manifestIn(folder);
  const installed = join(folder, 'node_modules', name);
  const { types, typings } = existsSync(installed) ? manifestIn(installed) : {};
  const own = types !== undefined || typings !== undefined || existsSync(join(installed, 'index.d.ts'));
  const needed = own ? name : `@types/${name}`;
  expect(Object.keys({ ...dependencies, ...peerDependencies })).toContain(needed);
});

/** Names that public types take from modules of Node, as docs/api has them: module and name. */
const ofNode = readdirSync(join(root, 'docs/api')).flatMap((file) =>
  [...readFileSync(join(root, 'docs/api', file), 'utf8').matchAll(/^import (?:type )?\{ (\w+)[^}]*\} from '(node:[^']+)';$/gm)].map(
    ([, name = '', module = '']) => [module, name] as const,
  ),
);

/** Types without a value, which `@types/node` has had since version 20, up to 26. Look at the newest one before another is named here. */
const LASTING = ['IncomingHttpHeaders', 'ListenOptions', 'ServerOptions'];

it('there are public types that name those of Node', () => {
  expect(ofNode.length).toBeGreaterThan(5);
});

// Interfaces come and go with versions of `@types/node`; classes are there as long as Node has them.
it.each(ofNode)('what public types take from %s stays there: %s', async (module, name) => {
  const values = (await import(module)) as object;
  expect([...Object.keys(values), ...LASTING]).toContain(name);
});

/** What a compiler reads of other packages with the declarations of one: who has those checked too (`skipLibCheck: false`) meets their errors. */
function packagesRead(short: string): readonly string[] {
  const files = new Set([join(root, 'packages', short, 'dist/index.d.ts')]);
  const others = new Set<string>();
  for (const file of files) {
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|^import )'([^']+)'/gm)) {
      if (to.startsWith('.')) files.add(join(file, '..', to.replace(/\.ts$/, '.d.ts')));
      else if (!to.startsWith('node:')) others.add(to);
    }
  }
  return [...others];
}

it('the declarations of the embedded database read those of no other package', () => {
  expect(packagesRead('docdb-embedded')).toEqual([]);
});
