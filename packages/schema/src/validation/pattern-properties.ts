import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { keywordCode } from './keyword-code.ts';

const keyword = 'patternProperties';

/**
 * Lets a validator have what is described by patterns beside alternatives, in versions of JSON Schema that have `unevaluatedProperties`.
 *
 * Of which properties something is known ajv writes down while it checks. Where alternatives come first, it makes what it writes to
 * when one of them that says something of properties holds; `patternProperties` then writes to it whether it was made or not, which throws for valid data.
 */
export function knowPatterns(ajv: Ajv): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known) || !known.code) return;
  const { code, ...rest } = known;
  const definition: CodeKeywordDefinition = {
    ...rest,
    keyword,
    before: 'additionalProperties',
    code(context: KeywordCxt, rule?: string) {
      const { gen, it } = context;
      const { props } = it;
      const own = keywordCode(context);
      if (own.isName(props)) gen.if(own.code(props, ' === undefined'), () => gen.assign(props, own.code('{}')));
      code(context, rule);
    },
  };
  ajv.removeKeyword(keyword).addKeyword(definition);
}
