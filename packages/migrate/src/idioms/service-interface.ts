import { placeOf, walk } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

/** `ServiceInterface<T, D, P>`, whose methods are all optional, is `Partial<ServiceMethods<T, D, P>>`. */
export const serviceInterface: Idiom = ({ tree }, imported, plan) => {
  walk(tree, (node) => {
    if (node.type !== 'TSTypeReference' && node.type !== 'TSExpressionWithTypeArguments') return;
    const name = node.type === 'TSTypeReference' ? node.typeName : node.expression;
    if (name.type !== 'Identifier' || imported.get(name.name)?.name !== 'ServiceInterface') return;
    const { start, end } = placeOf(node);
    plan.edits.push({ start, end: start, text: 'Partial<' }, { start: end, end, text: '>' });
  });
};
