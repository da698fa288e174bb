const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

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
    return Number.isFinite(number) ? number : text;
  };
}

/** The conversion of a text to one of the values that a schema lists. */
export function literalConversion(literals: readonly unknown[]): (value: unknown) => unknown {
  const byText = new Map(literals.filter((literal) => typeof literal !== 'string').map((literal) => [String(literal), literal]));
  return (value) => (typeof value === 'string' && !literals.includes(value) && byText.has(value) ? byText.get(value) : value);
}
