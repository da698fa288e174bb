import type { ImportDeclaration } from '@babel/types';
import type { Remark } from '../remark.ts';
import { placeOf, walk, type Source } from '../source/source.ts';

/** What names the application of FeathersJS to the types of this framework. */
const NAMED = /\bPluginApplication\b/;

/** Whether it imports plug-ins or hooks that are typed for the application of FeathersJS. */
function isOfPlugin({ importKind, source, specifiers }: ImportDeclaration): boolean {
  if (importKind === 'type') return false;
  if (source.value === '@feathersjs/knex') return specifiers.some(({ local }) => local.name === 'transaction');
  return /^feathers-[\w-]+$/.test(source.value);
}

/** Whether a type of FeathersJS is imported for them: it stays. */
export const isForPlugins = ({ text }: Source, { importKind, source }: ImportDeclaration): boolean =>
  importKind === 'type' && source.value === '@feathersjs/feathers' && NAMED.test(text);

/**
 * What is to be done for the types of plug-ins: once for an application.
 *
 * @param sources all that may import them
 */
export function pluginTypes(sources: readonly Source[]): Remark[] {
  if (sources.some(({ text }) => NAMED.test(text))) return [];
  for (const { file, tree } of sources) {
    if (!/\.[cm]?ts$/.test(file)) continue;
    let line: number | undefined;
    walk(tree, (node) => {
      if (node.type === 'ImportDeclaration' && isOfPlugin(node)) line ??= placeOf(node).line;
    });
    if (line === undefined) continue;
    const reason = 'Plug-ins and their hooks are typed for FeathersJS: declare PluginApplication once, and they are taken as they are';
    return [{ file, line, reason, section: 'What needs an option or a line of yours' }];
  }
  return [];
}
