import { type Doc, type Value } from '../bson/values.ts';
import { badValue } from '../errors.ts';
import { pathValues } from './path-values.ts';

/** A text search: gives the score of a document, 0 for no match. */
export type TextSearch = (doc: Doc) => number;

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about above after again against all am an and any are as at be because been before being below between both but by can cannot could did do does doing down during each few for from further had has have having he her here hers herself him himself his how i if in into is it its itself me more most my myself no nor not of off on once only or other our ours ourselves out over own same she should so some such than that the their theirs them themselves then there these they this those through to too under until up very was we were what when where which while who whom why with would you your yours yourself yourselves'.split(
    ' ',
  ),
);

/**
 * Compiles `$text` for the fields of a text index: words (any of them), `"phrases"` (all of them) and `-words` (none).
 * English words are compared by their stem.
 *
 * @param weights weight of each indexed field by its path; `$**` is every text in the document
 * @throws DocDbError (2) for a search that is no text
 */
export function compileText(text: Doc, weights: Readonly<Record<string, number>>): TextSearch {
  const search = text.$search;
  if (typeof search !== 'string') throw badValue("The field 'Search' must be a string");
  const fold = folder(text);
  const phrases = [...search.matchAll(/(-?)"([^"]+)"/g)].map((match) => ({ negated: match[1] === '-', text: fold(match[2] as string) }));
  const rest = search.replace(/-?"[^"]*"/g, ' ');
  const banned = [...rest.matchAll(/(?:^|\s)-(\S+)/g)].flatMap((match) => words(match[1] as string, fold));
  const wanted = new Set([
    ...words(rest.replace(/(?:^|\s)-\S+/g, ' '), fold),
    ...phrases.filter((phrase) => !phrase.negated).flatMap((phrase) => words(phrase.text, fold)),
  ]);
  const fields = Object.entries(weights).map(([path, weight]) => ({ path: path === '$**' ? undefined : path.split('.'), weight }));

  return (doc) => {
    let score = 0;
    const texts = fields.flatMap(({ path, weight }) => textsOf(doc, path).map((value) => ({ value, weight })));
    for (const { value, weight } of texts) {
      const found = words(value, fold);
      if (found.some((word) => banned.includes(word))) return 0;
      const hits = found.filter((word) => wanted.has(word)).length;
      if (hits > 0) score += weight * (0.5 + hits / (2 * found.length)) * (1 + Math.log(hits));
    }
    const folded = texts.map(({ value }) => fold(value));
    const holds = phrases.every((phrase) => folded.some((value) => value.includes(phrase.text)) !== phrase.negated);
    return holds ? score : 0;
  };
}

function folder(text: Doc): (value: string) => string {
  const plain = (value: string): string => (text.$diacriticSensitive === true ? value : value.normalize('NFD').replace(/\p{M}/gu, ''));
  return (value) => (text.$caseSensitive === true ? plain(value) : plain(value).toLowerCase());
}

function words(value: string, fold: (value: string) => string): string[] {
  return (fold(value).match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word.toLowerCase())).map(stem);
}

/** The most common English endings; enough for words and their plurals, past and continuous forms to meet. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const base = word
    .replace(/(sses)$/i, 'ss')
    .replace(/ies$/i, 'i')
    .replace(/([^s])s$/i, '$1');
  const short = base.replace(/(.*[aeiouy].*)(?:ing|ed)$/i, '$1');
  const doubled = short === base ? base : short.replace(/([^aeiouylsz])\1$/i, '$1');
  return doubled.replace(/y$/i, 'i').replace(/e$/i, '');
}

function textsOf(doc: Doc, path: readonly string[] | undefined): string[] {
  const found: string[] = [];
  const visit = (value: Value, deep: boolean): void => {
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) for (const entry of value as Value[]) visit(entry, deep);
    else if (deep && typeof value === 'object' && value !== null) for (const entry of Object.values(value as Doc)) visit(entry, deep);
  };
  if (path) for (const value of pathValues(doc, path)) visit(value, false);
  else visit(doc, true);
  return found;
}
