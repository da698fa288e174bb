import { badValue, DocDbError, typeMismatch } from '../errors.ts';
import { equal } from './compare.ts';
import { wholeOption } from './rounding.ts';
import { type Doc, isDocument, isNumber, typeName, type TypeName, type Value } from './values.ts';

/** Compares two texts; carries the specification that it was made from. */
export type Collator = ((a: string, b: string) => number) & { readonly spec: Doc };

/** Version of the rules that collations show. */
const VERSION = '57.1';

const FIELDS: ReadonlySet<string> = new Set([
  'locale',
  'strength',
  'caseLevel',
  'caseFirst',
  'numericOrdering',
  'alternate',
  'maxVariable',
  'backwards',
  'normalization',
  'version',
]);

const NUMBERS: readonly TypeName[] = ['int', 'long', 'double', 'decimal'];
const TYPES: Readonly<Record<string, readonly TypeName[]>> = {
  locale: ['string'],
  strength: NUMBERS,
  caseLevel: ['bool'],
  caseFirst: ['string'],
  numericOrdering: ['bool'],
  alternate: ['string'],
  maxVariable: ['string'],
  backwards: ['bool'],
  normalization: ['bool'],
};

const cache = new Map<string, Collator | undefined>();
/** Signs of a specification whose comparison is kept for the next one. */
const LONGEST_KEPT = 1000;

/**
 * Makes the comparison of a collation document.
 *
 * @param spec for example `{ locale: 'en', strength: 2 }`
 * @returns `undefined` without a specification and for the locale `simple`: text then compares by code points
 * @throws DocDbError (2, 40415) for unknown fields, locales and values
 */
export function collatorFor(spec: Value): Collator | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDocument(spec)) throw new DocDbError(14, "BSON field 'collation' is the wrong type, expected type 'object'");
  if (Object.keys(spec).length === 0) return undefined;
  const key = JSON.stringify(spec, (_name, value: unknown) =>
    typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value,
  );
  if (cache.has(key)) return cache.get(key);
  const collator = create(spec);
  if (key.length > LONGEST_KEPT) return collator;
  if (cache.size > 200) cache.clear();
  cache.set(key, collator);
  return collator;
}

function create(spec: Doc): Collator | undefined {
  for (const name of Object.keys(spec)) {
    if (!FIELDS.has(name)) throw new DocDbError(40415, `BSON field 'collation.${name}' is an unknown field.`);
  }
  const { locale } = spec;
  for (const [name, types] of Object.entries(TYPES)) {
    const value = spec[name];
    if (value !== undefined && value !== null && !types.includes(typeName(value)))
      throw typeMismatch(`BSON field 'collation.${name}' is the wrong type '${typeName(value)}', expected types '[${types.join(', ')}]'`);
  }
  if (typeof locale !== 'string') throw new DocDbError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale === 'simple') return undefined;
  const strength = !isNumber(spec.strength) ? 3 : wholeOption(spec.strength);
  if (!Number.isInteger(strength) || strength < 1 || strength > 5)
    throw badValue(`Enumeration value '${String(spec.strength)}' for field 'collation.strength' is not a valid value.`);
  if (strength < 3 && spec.caseLevel !== true && (spec.caseFirst === 'upper' || spec.caseFirst === 'lower'))
    throw badValue(`'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2`);
  if (spec.version !== undefined && spec.version !== null && spec.version !== VERSION)
    throw new DocDbError(161, `Requested collation version '${String(spec.version)}', but the only available version was '${VERSION}'`);
  const { compare } = intlCollator(spec, locale, strength);
  const shown = spec.alternate === 'shifted' && spec.maxVariable === 'space' ? withoutSpaces : (text: string): string => text;
  const tie = tieOf(spec, locale, strength);
  return Object.assign((a: string, b: string): number => compare(shown(a), shown(b)) || (tie && a !== b ? tie(a, b) : 0), { spec });
}

const withoutSpaces = (text: string): string => text.replace(/[\t-\r ]/g, '');
const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);

/** What decides between texts that are equal by accents and case: the fourth level, and the identical one. */
function tieOf(spec: Doc, locale: string, strength: number): ((a: string, b: string) => number) | undefined {
  if (strength === 5) return byUnits;
  if (strength < 4) return undefined;
  if (spec.alternate === 'shifted') return intlCollator({ ...spec, alternate: 'non-ignorable' }, locale, 3).compare;
  // Of the scripts only Japanese has differences of its own there: Hiragana comes before Katakana.
  return locale.startsWith('ja') ? byUnits : undefined;
}

/** The comparison of accents from the end of a text belongs to a locale: to that of Canada's French, and without tailoring of its own to English. */
function tagOf({ backwards }: Doc, locale: string): string {
  if (backwards === true && /^(?:en|fr)(?:_|$)/.test(locale)) return 'fr-CA';
  if (backwards === false && locale === 'fr_CA') return 'fr';
  return locale.replaceAll('_', '-');
}

/** Signs of a locale. */
const LONGEST_LOCALE = 64;
/** A place, and maybe an order of its own, as that of its phone books. */
const LOCALE = /^([^@]+)(?:@collation=([a-z\d]+))?$/;
/** Orders that have a shorter name where locales are written with hyphens. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['phonebook', 'phonebk'],
  ['traditional', 'trad'],
  ['dictionary', 'dict'],
]);
/** The order that a place has by itself, and the one for searches, are no part of such a locale. */
const USUAL: ReadonlyMap<string, 'sort' | 'search'> = new Map([
  ['standard', 'sort'],
  ['search', 'search'],
]);

interface Order {
  readonly place: string;
  readonly usage: 'sort' | 'search';
  /** The order as locales with hyphens name it. */
  readonly type: string | undefined;
}

function orderOf(locale: string): Order {
  const [, place = locale.replace(/@.*/, ''), order = 'standard'] = LOCALE.exec(locale) ?? [];
  const usage = USUAL.get(order);
  return { place, usage: usage ?? 'sort', type: usage ? undefined : (SHORT_NAMES.get(order) ?? order) };
}

/**
 * Looks whether a locale asks for an order that there is: another one would be passed over.
 *
 * @throws DocDbError (2)
 */
export function checkLocale(locale: Value): void {
  if (typeof locale !== 'string') return;
  const { place, type } = orderOf(locale);
  if (locale.length > LONGEST_LOCALE || (locale.includes('@') && !LOCALE.test(locale))) throw invalidLocale(locale);
  if (type !== undefined && intlCollator({}, locale, 3).resolvedOptions().collation !== type)
    throw badValue(`Field 'locale' is invalid in: { locale: "${locale}" }: there is no order '${type}' of '${place}' here`);
}

function invalidLocale(locale: string): DocDbError {
  return badValue(`Field 'locale' is invalid in: { locale: "${locale.slice(0, LONGEST_LOCALE)}" }`);
}

function intlCollator(spec: Doc, locale: string, strength: number): Intl.Collator {
  const base =
    strength === 1 ? (spec.caseLevel === true ? 'case' : 'base') : strength === 2 && spec.caseLevel !== true ? 'accent' : 'variant';
  const { place, usage, type } = orderOf(locale);
  const tag = `${tagOf(spec, place)}${type === undefined ? '' : `-u-co-${type}`}`;
  const upperFirst = spec.caseFirst === 'upper' || spec.caseFirst === 'lower' ? spec.caseFirst : 'false';
  try {
    if (Intl.Collator.supportedLocalesOf([tag]).length === 0) throw new RangeError(tag);
    return new Intl.Collator(tag, {
      usage,
      sensitivity: base,
      numeric: spec.numericOrdering === true,
      caseFirst: upperFirst,
      ignorePunctuation: spec.alternate === 'shifted' && spec.maxVariable !== 'space',
    });
  } catch {
    throw invalidLocale(locale);
  }
}

/** @returns whether two collations are the same, so that an index of one serves queries of the other */
export function sameCollation(a: Collator | undefined, b: Collator | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equal(normalized(a.spec), normalized(b.spec)));
}

function normalized(spec: Doc): Value {
  const full = fullCollation(spec);
  return Object.keys(full)
    .filter((name) => name !== 'version' && name !== 'normalization')
    .sort()
    .map((name) => [name, full[name]]);
}

/** @returns the specification with MongoDB's defaults, as `listIndexes` and `listCollections` show it */
export function fullCollation(spec: Doc): Doc {
  return {
    locale: spec.locale,
    caseLevel: spec.caseLevel ?? false,
    caseFirst: spec.caseFirst ?? 'off',
    strength: spec.strength ?? 3,
    numericOrdering: spec.numericOrdering ?? false,
    alternate: spec.alternate ?? 'non-ignorable',
    maxVariable: spec.maxVariable ?? 'punct',
    normalization: spec.normalization ?? false,
    // Canada's French compares accents from the end, unless it is told not to.
    backwards: spec.backwards ?? spec.locale === 'fr_CA',
    version: VERSION,
  };
}
