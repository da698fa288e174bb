import type { Node, ObjectExpression, ObjectProperty } from '@babel/types';
import { placeOf, walk, withoutTypes, type Source } from '../source/source.ts';
import { ADAPTERS } from './adapter-methods.ts';
import type { Idiom, ImportedNames } from './idiom.ts';

/** What becomes of options that adapters here do not have, or have in another form. */
const LEFT: Readonly<Record<string, string>> = {
  whitelist: "is 'operators' here",
  allow: "is 'operators' here",
  filters: "is a list of names here, ['$name']: do in a hook what its functions did",
  matcher: 'is none here: records are matched as the database matches them',
  sorter: 'is none here: records are sorted as the database sorts them',
};

/** Options by which an object is one of an adapter's, wherever it stands. */
const TELLING: ReadonlySet<string> = new Set(['Model', 'paginate', 'multi', 'operators', 'startId', 'store']);

/** Options of adapters that are refused here when the application starts. */
export const adapterOptions: Idiom = (source, imported, plan) => {
  if (![...imported.values()].some(({ from }) => ADAPTERS.has(from))) return;
  const made = adapterClasses(source, imported);
  walk(source.tree, (node, parents) => {
    if (node.type !== 'ObjectExpression') return;
    const options = namedIn(node);
    if (!isMade(node, parents, made) && !options.some(([name]) => TELLING.has(name))) return;
    for (const [name, property] of options) {
      const reason = Object.hasOwn(LEFT, name) ? LEFT[name] : undefined;
      if (reason === undefined || (name === 'filters' && withoutTypes(property.value).type === 'ArrayExpression')) continue;
      plan.left.push({
        file: source.file,
        line: placeOf(property).line,
        reason: `The option '${name}' of an adapter ${reason}`,
        section: 'Names',
      });
    }
  });
};

/** Names of the adapters, and of classes of the file that are made of them. */
function adapterClasses({ tree }: Source, imported: ImportedNames): ReadonlySet<string> {
  const found = new Set([...imported].flatMap(([local, { from }]) => (ADAPTERS.has(from) ? [local] : [])));
  walk(tree, (node) => {
    if (node.type === 'ClassDeclaration' && node.id && node.superClass?.type === 'Identifier' && found.has(node.superClass.name))
      found.add(node.id.name);
  });
  return found;
}

function isMade(node: Node, parents: readonly Node[], made: ReadonlySet<string>): boolean {
  const call = parents.findLast((each) => withoutTypes(each) !== node);
  if (call?.type !== 'NewExpression' && call?.type !== 'CallExpression') return false;
  return call.callee.type === 'Identifier' && made.has(call.callee.name);
}

function namedIn({ properties }: ObjectExpression): (readonly [name: string, property: ObjectProperty])[] {
  return properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty' || property.computed) return [];
    const { key } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined;
    return name === undefined ? [] : [[name, property] as const];
  });
}
