import type { Node } from '@babel/types';
import type { Remark } from '../remark.ts';
import { stays } from '../packages/package-moves.ts';
import { placeOf } from '../source/source.ts';
import type { JsonText } from './json-text.ts';

/** Groups that are changed. */
const CHANGED: ReadonlySet<string> = new Set(['dependencies', 'devDependencies']);

/**
 * Notes where a `package.json` names packages of the server besides its dependencies: `overrides`, `peerDependencies`, scripts with the command of FeathersJS.
 *
 * Of a package inside, whose dependencies are not changed, they are told too.
 *
 * @param file path from the folder of the application
 * @param kept packages that stay
 */
export function manifestMentions(file: string, { root }: JsonText, kept: ReadonlySet<string>): Remark[] {
  const isInside = file !== 'package.json';
  const found: Remark[] = [];
  const look = (node: Node, path: readonly string[]): void => {
    if (node.type === 'StringLiteral') tell(node, path);
    else if (node.type === 'ArrayExpression') for (const each of node.elements) if (each) look(each, path);
    if (node.type !== 'ObjectExpression') return;
    for (const property of node.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'StringLiteral') continue;
      const { key, value } = property;
      if (!isInside && path.length === 0 && CHANGED.has(key.value)) continue;
      if (!tell(key, path)) look(value, [...path, key.value]);
    }
  };
  const tell = (node: Node & { type: 'StringLiteral' }, path: readonly string[]): boolean => {
    const [name] = /@feathersjs\/[\w-]+/.exec(node.value) ?? [];
    const { line } = placeOf(node);
    const note = (reason: string): void => {
      found.push({ file, line, reason, section: 'By a command' });
    };
    if (path[0] === 'scripts' && /(?:^|\s)feathers(?:\s|$)/.test(node.value))
      note('The command feathers is not there any more: take it out of the script');
    if (name === undefined || stays(name) || kept.has(name)) return false;
    if (isInside && CHANGED.has(path[0] ?? ''))
      note(`${path.join('.')} names ${name}: run the command in its folder, or move its dependencies`);
    else note(`${path.join('.')} names ${name}, which the application does not use any more: write what it is here, or take it out`);
    return true;
  };
  look(root, []);
  return found;
}
