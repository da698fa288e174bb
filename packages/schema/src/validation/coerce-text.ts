const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;

/**
 * The conversion of a text to one of the types of a schema; a text that does not convert exactly stays as it is.
 *
 * @param types names of JSON Schema's types
 * @returns `undefined` when nothing is to be converted
 */
export function textConversion(types: readonly string[]): ((text: string) => unknown) | undefined {
  const [nullable, boolean] = [types.includes('null'), types.includes('boolean')];
  const numeric = types.includes('number') || types.includes('integer');
  if (types.includes('string') || !(nullable || boolean || numeric)) return undefined;
  return (text) => {
    // Clients send null as an empty text.
    if (nullable && (text === 'null' || text === '')) return null;
    if (boolean && (text === 'true' || text === 'false')) return text === 'true';
    if (!numeric || !NUMBER.test(text)) return text;
    const number = Number(text);
    return Number.isFinite(number) && isExact(text, number) ? number : text;
  };
}

/** A whole number that has no place between its neighbours would become one of them: another record's id. */
function isExact(text: string, number: number): boolean {
  return Number.isSafeInteger(number) || !INTEGER.test(text) || BigInt(text) === BigInt(number);
}

/** The conversion of a text to one of the values that a schema lists; lists and objects have no text of their own. */
export function literalConversion(literals: readonly unknown[]): (value: unknown) => unknown {
  const byText = new Map(literals.filter(hasText).map((literal) => [String(literal), literal]));
  // Clients send null as an empty text.
  if (literals.includes(null)) byText.set('', null);
  return (value) => (typeof value === 'string' && !literals.includes(value) && byText.has(value) ? byText.get(value) : value);
}

function hasText(literal: unknown): boolean {
  return typeof literal !== 'string' && (typeof literal !== 'object' || literal === null);
}
