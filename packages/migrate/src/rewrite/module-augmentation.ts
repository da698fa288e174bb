import type { TSModuleDeclaration } from '@babel/types';
import type { PackageMove } from '../packages/package-moves.ts';
import { placeOf, type Source } from '../source/source.ts';
import type { SourcePlan } from './source-plan.ts';

/** Changes `declare module 'a package of FeathersJS' { interface Params { … } }`, with the names of the interfaces. */
export function moveAugmentation({ file }: Source, node: TSModuleDeclaration, move: PackageMove, plan: SourcePlan): void {
  const { start, end } = placeOf(node.id);
  plan.edits.push({ start: start + 1, end: end - 1, text: move.to });
  plan.packages.add(move.to);
  for (const outer of node.body.type === 'TSModuleBlock' ? node.body.body : []) {
    const statement = outer.type === 'ExportNamedDeclaration' ? outer.declaration : outer;
    if (statement?.type !== 'TSInterfaceDeclaration') continue;
    const { name } = statement.id;
    const renamed = Object.hasOwn(move.renamed, name) ? move.renamed[name] : undefined;
    if (renamed === undefined) continue;
    if (renamed.from === undefined) plan.edits.push({ ...placeOf(statement.id), text: renamed.name });
    else {
      const reason = `'${name}' can not be added to in ${move.to}: it is '${renamed.name}' of ${renamed.from}`;
      plan.blockers.push({ file, line: placeOf(statement).line, reason, section: 'Names' });
    }
  }
}
