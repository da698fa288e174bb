import { placeOf, walk } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

/** How many arguments types take here that took more there: what a service patches with, for one, follows from its data. */
const MOST: ReadonlyMap<string, number> = new Map([
  ['ServiceInterface', 3],
  ['ServiceMethods', 3],
  ['Service', 3],
  ['AdapterParams', 0],
  ['ServiceMixin', 0],
  ['ServiceOptions', 0],
  ['Validator', 1],
  ['PropertyQuery', 1],
  ['ResolverStatus', 0],
  ['MemoryServiceOptions', 0],
]);

/** `MemoryServiceOptions<User>` is `MemoryServiceOptions`: what types do not take is left out. */
export const typeArguments: Idiom = ({ tree }, imported, plan) => {
  walk(tree, (node) => {
    if (node.type !== 'TSTypeReference' && node.type !== 'TSExpressionWithTypeArguments') return;
    const name = node.type === 'TSTypeReference' ? node.typeName : node.expression;
    const given = node.typeParameters;
    if (name.type !== 'Identifier' || !given) return;
    const most = MOST.get(imported.get(name.name)?.name ?? '');
    const [last, before] = [given.params.at(-1), given.params[(most ?? 0) - 1]];
    if (most === undefined || last === undefined || given.params.length <= most) return;
    const { start, end } = placeOf(given);
    const gone = before === undefined ? { start, end, text: '' } : { start: placeOf(before).end, end: placeOf(last).end, text: '' };
    plan.edits.push(gone);
    plan.gone.push(gone);
  });
};
