import { defaultOperators, FURTHER_OPERATORS, logicalOperators } from './operators.ts';

/** Where a name stood: beside the filters, among conditions, or below a property. */
export type Place = 'query' | 'conditions' | 'property';

/**
 * How a name that was refused could be meant: which option of the service would allow it, or where it belongs. It goes to the caller beside the
 * message, and so tells what everybody may read of the syntax, and nothing of the service.
 *
 * @returns `undefined` for names that the syntax does not know
 */
function hintFor(name: string, place: Place): string | undefined {
  if (place === 'query' && (name === '$after' || name === '$before')) return `${name} needs the service's option 'cursors', and pages`;
  if (place === 'query' && name === '$populate') return "$populate needs relations in the schema of the service's records";
  if (place === 'property' && logicalOperators.includes(name)) return `${name} stands at the top of the query`;
  if (place !== 'property' && name !== '$nor' && (defaultOperators.includes(name) || FURTHER_OPERATORS.includes(name)))
    return `${name} stands below a property: { name: { ${name}: … } }`;
  return FURTHER_OPERATORS.includes(name) ? `List ${name} in the service's option 'operators' to allow it` : undefined;
}

/** What the error of a refused name says beside its message. */
export function refusedName(name: string, place: Place): { readonly parameter: string; readonly hint?: string } {
  const hint = hintFor(name, place);
  return hint === undefined ? { parameter: name } : { parameter: name, hint };
}
