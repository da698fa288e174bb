// oxlint-disable-next-line typescript/triple-slash-reference -- packages that read these sources look for no declarations beside them
/// <reference path="./wink-porter2-stemmer.d.ts" />
import stem from 'wink-porter2-stemmer';
import { type Doc, isDocument, own, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, typeMismatch } from '../errors.ts';
import { pathValues } from './path-values.ts';

/** A text search. */
export interface TextSearch {
  /** The score of a document, 0 for no match. */
  readonly score: (doc: Doc) => number;
  /** Words of which each document that matches has one, as `indexedWords` has them; `undefined` where these do not tell. */
  readonly words: readonly string[] | undefined;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about above after again against all am an and any are as at be because been before being below between both but by can cannot could did do does doing down during each few for from further had has have having he her here hers herself him himself his how i if in into is it its itself me more most my myself no nor not of off on once only or other our ours ourselves out over own same she should so some such than that the their theirs them themselves then there these they this those through to too under until up very was we were what when where which while who whom why with would you your yours yourself yourselves'.split(
    ' ',
  ),
);

/** What a text index says of its fields and their language. */
export interface TextRules {
  /** Weight of each indexed field by its path; `$**` is every text in the document. */
  readonly weights: Readonly<Record<string, number>>;
  readonly language: TextLanguage;
  /** Name of the field by which a document names a language of its own. */
  readonly override: string;
}

/** How words are compared: English ones by their stem, without stop words; or as they are. */
export type TextLanguage = 'english' | 'none';

const LANGUAGES: Readonly<Record<string, TextLanguage>> = { english: 'english', en: 'english', none: 'none' };

/** @returns the language of a name, `undefined` for one that is not offered */
export function textLanguage(name: string): TextLanguage | undefined {
  return Object.hasOwn(LANGUAGES, name.toLowerCase()) ? LANGUAGES[name.toLowerCase()] : undefined;
}

/** Says which languages there are. */
export const TEXT_LANGUAGES = "this database searches texts in 'english', or word for word with 'none'";

const FIELDS: Readonly<Record<string, 'string' | 'bool'>> = {
  $search: 'string',
  $language: 'string',
  $caseSensitive: 'bool',
  $diacriticSensitive: 'bool',
};

/** @throws DocDbError (2, 4, 14) for what is no search */
function checkSearch(text: Doc): string {
  for (const name of Object.keys(text)) {
    const wanted = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (!wanted) throw badValue(`extra fields in $text: '${name}'`);
    const type = typeName(text[name]);
    if (type !== wanted) throw typeMismatch(`"${name}" had the wrong type. Expected ${wanted}, found ${type}`);
  }
  const { $search: search, $language: language } = text;
  if (typeof search !== 'string') throw new DocDbError(4, 'Missing expected field "$search"');
  if (typeof language === 'string' && language !== '' && !textLanguage(language))
    throw badValue(`unsupported language: "${language}" for text index version 3; ${TEXT_LANGUAGES}`);
  return search;
}

/**
 * Compiles `$text` for the fields of a text index: words (any of them), `"phrases"` (all of them) and `-words` (none).
 *
 * @throws DocDbError (2, 4, 14) for what is no search
 */
export function compileText(text: Doc, rules: TextRules): TextSearch {
  const search = checkSearch(text);
  const { $language: given } = text;
  const language = (typeof given === 'string' ? textLanguage(given) : undefined) ?? rules.language;
  const fold = folder(text);
  const phrases = [...search.matchAll(/(-?)"([^"]+)"/g)].map(([, sign, phrase = '']) => ({ negated: sign === '-', text: fold(phrase) }));
  const rest = search.replace(/-?"[^"]*"/g, ' ');
  const banned = new Set([...rest.matchAll(/(?:^|\s)-(\S+)/g)].flatMap(([, word = '']) => words(word, fold, language)));
  const wanted = new Set([
    ...words(rest.replace(/(?:^|\s)-\S+/g, ' '), fold, language),
    ...phrases.filter((phrase) => !phrase.negated).flatMap((phrase) => words(phrase.text, fold, language)),
  ]);
  const fields = Object.entries(rules.weights).map(([path, weight]) => ({
    path: path === '$**' ? undefined : path.split('.'),
    weight,
  }));

  const score = (doc: Doc): number => {
    let sum = 0;
    const documentLanguage = languageOf(doc, rules);
    const texts = fields.flatMap(({ path, weight }) => textsOf(doc, path).map((value) => ({ value, weight })));
    for (const { value, weight } of texts) {
      const found = words(value, fold, documentLanguage);
      if (found.some((word) => banned.has(word))) return 0;
      sum += scoreOfText(value, found, wanted, weight);
    }
    const folded = texts.map(({ value }) => fold(value));
    const holds = phrases.every((phrase) => folded.some((value) => value.includes(phrase.text)) !== phrase.negated);
    return holds ? sum : 0;
  };
  // Indexed words have no accents.
  return { score, words: text.$diacriticSensitive === true ? undefined : [...new Set([...wanted].map((word) => word.toLowerCase()))] };
}

/**
 * A word that comes again counts half as much as the time before, and more the more of the text it is; a text that is
 * nothing else counts a tenth more.
 */
function scoreOfText(value: string, found: readonly string[], wanted: ReadonlySet<string>, weight: number): number {
  const counts = new Map<string, number>();
  for (const word of found) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const whole = value.toLowerCase();
  let sum = 0;
  for (const [word, count] of counts)
    sum += weight * (2 - 2 ** (1 - count)) * ((0.5 * count) / found.length + 0.5) * (word.toLowerCase() === whole ? 1.1 : 1);
  return sum;
}

function languageOf(doc: Doc, { override, language }: TextRules): TextLanguage {
  const named = own(doc, override);
  return (typeof named === 'string' ? textLanguage(named) : undefined) ?? language;
}

const foldAll = folder({});

/** @returns the words by which an index finds a document, each once, whatever case they are searched in */
export function* indexedWords(doc: Doc, rules: TextRules): Generator<string, void> {
  const read = new Set<string>();
  const compared = new Set<string>();
  const isEnglish = languageOf(doc, rules) === 'english';
  for (const text of indexedTexts(doc, rules))
    for (const [word] of foldAll(text).matchAll(WORD)) {
      // Most words of a long text come again: what is done for each is done once.
      if (read.has(word)) continue;
      read.add(word);
      if (isEnglish && STOP_WORDS.has(word)) continue;
      const stemmed = isEnglish ? stemOf(word) : word;
      if (compared.has(stemmed)) continue;
      compared.add(stemmed);
      yield stemmed;
    }
}

function indexedTexts(doc: Doc, { weights }: TextRules): string[] {
  return Object.keys(weights).flatMap((path) => textsOf(doc, path === '$**' ? undefined : path.split('.')));
}

/** Bytes that the words of one document may have in an index, as a server counts them: with so many beside each word, which counts up to so many itself. */
const MOST_BYTES = 4 * 1024 * 1024;
const BESIDE = 22;
const MOST_OF_WORD = 256;
/** Bytes that a letter of a text comes to at most, as a word of its own. */
const MOST_OF_LETTER = 16;

/** @throws DocDbError (16733) for a document that has more different words than an index takes of one: all are written in one turn */
export function checkIndexedWords(doc: Doc, rules: TextRules): void {
  const letters = indexedTexts(doc, rules).reduce((sum, { length }) => sum + length, 0);
  if (letters * MOST_OF_LETTER <= MOST_BYTES) return;
  let bytes = 0;
  for (const word of indexedWords(doc, rules)) {
    bytes += BESIDE + Math.min(Buffer.byteLength(word), MOST_OF_WORD);
    if (bytes > MOST_BYTES)
      throw new DocDbError(
        16733,
        `a text index takes different words of up to ${String(MOST_BYTES)} bytes of one document, and this one has more: split it, or keep the text in a field without the index`,
      );
  }
}

function folder(text: Doc): (value: string) => string {
  const plain = (value: string): string => (text.$diacriticSensitive === true ? value : value.normalize('NFD').replace(/\p{M}/gu, ''));
  return (value) => (text.$caseSensitive === true ? plain(value) : plain(value).toLowerCase());
}

const WORD = /[\p{L}\p{N}_]+/gu;

function words(value: string, fold: (value: string) => string, language: TextLanguage): string[] {
  const found = fold(value).match(WORD) ?? [];
  return language === 'none' ? found : found.filter((word) => !STOP_WORDS.has(word.toLowerCase())).map(stemOf);
}

/** Stems that were found lately: finding one takes as long as reading a hundred. */
const stems = new Map<string, string>();
const MOST_STEMS = 20_000;
/** Letters of the longest word that has a stem: no English one has more, and finding a stem takes the square of them. */
const LONGEST = 45;

function stemOf(word: string): string {
  if (word.length > LONGEST) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const small = stem(word.toLowerCase());
  // Where capitals count they are kept.
  const found = [...small].map((letter, at) => (word[at]?.toLowerCase() === letter ? word[at] : letter)).join('');
  if (stems.size >= MOST_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

function textsOf(doc: Doc, path: readonly string[] | undefined): string[] {
  const found: string[] = [];
  const visit = (value: Value, deep: boolean): void => {
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) for (const entry of value) visit(entry, deep);
    else if (deep && isDocument(value)) for (const entry of Object.values(value)) visit(entry, deep);
  };
  if (path) for (const value of pathValues(doc, path)) visit(value, false);
  else visit(doc, true);
  return found;
}
