import { CommandError } from '../command-error.ts';

/** The names that follow from the path of a service. */
export interface ServiceName {
  /** As it is registered: `shop/order-lines`. */
  readonly path: string;
  /** Of the file, without its extension: `shop-order-lines`. */
  readonly file: string;
  /** Of the function that registers it: `shopOrderLines`. */
  readonly plural: string;
  /** Of its class, in front of `Service`: `ShopOrderLines`. */
  readonly Plural: string;
  /** Of its schema, in front of `Schema`: `shopOrderLine`. */
  readonly singular: string;
  /** Of the type of its records: `ShopOrderLine`. */
  readonly Singular: string;
}

const SEGMENT = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const RESERVED = new Set(
  `abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do else enum eval export
  extends false finally for from function get if implements import in index instanceof interface is keyof let module namespace never new null number
  object of package private protected public readonly require return set static string super switch symbol this throw true try type typeof undefined
  unknown var void while with yield NaN Infinity globalThis
  app authenticate context onlyOwn randomUUID record resolve serviceSchema service stamp added toLoggedIn toEverybody`.split(/\s+/),
);
/** Types that a file of a service has already, and those of the language. */
const TYPES = new Set(
  `Type Data Params Patch Application HookContext ServiceWith ReadOnly DataType PatchType QueryType RecordType Static DocDbParams MemoryParams DocDbService MemoryService
  Services String Number Boolean Date Object Record Array Function Promise Error Symbol Map Set`.split(/\s+/),
);
/** Paths that an application made by this generator has for itself; below the first two it has more. */
const TAKEN = /^(?:(?:authentication|oauth)(?:\/.*)?|sessions|health|events|index)$/i;

/**
 * @param typed the path of a service: `messages`, `shop/order-lines`
 * @throws CommandError for what is no path, and for those that are taken
 */
export function serviceNameOf(typed: string): ServiceName {
  const path = typed.replace(/^\/|\/$/g, '');
  const segments = path.split('/');
  const wrong = path.length > 100 ? path : segments.find((segment) => !SEGMENT.test(segment) || segment in {} || DEVICES.test(segment));
  if (wrong !== undefined) {
    const shown = JSON.stringify(typed.slice(0, 100));
    throw new CommandError(
      `${shown} can not be the path of a service: its parts are letters, digits, - and _, begin with a letter, and mean nothing else, such as messages or shop/orders`,
    );
  }
  if (TAKEN.test(path)) throw new CommandError(`The path '${path}' is taken: name another, such as my-${path}`);
  const words = path.split(/[/_-]/);
  const last = words.at(-1) ?? path;
  const plural = camelCase(words);
  const singular = camelCase([...words.slice(0, -1), singularOf(last)]);
  const Plural = upperFirst(plural);
  const Singular = upperFirst(singular);
  return {
    path,
    file: path.replaceAll('/', '-'),
    plural: RESERVED.has(plural) ? `${plural}Service` : plural,
    Plural: TYPES.has(`${Plural}Service`) ? `${Plural}Records` : Plural,
    singular: singular === 'service' ? 'serviceRecord' : singular,
    Singular: TYPES.has(Singular) ? `${Singular}Record` : Singular,
  };
}

/** Words that are their own singular: series, status, analysis. */
const ALIKE = /(?:series|species|news|(?<!men)us|is|ss|alias|atlas|bias|canvas|^gas|lens)$/i;
/** Plurals of words that end in -ie or -che, which the rules below would take for -y and -ch. */
const ONLY_S = /(?:movie|cookie|calorie|zombie|cache|niche|headache|avalanche)s$/i;
/** A plural by -es. That of -se has only an s of its own: house, case, response. */
const BY_ES = /(?:ss|[^ao]us|alias|atlas|bias|canvas|^gas|lens|x|zz|ch|sh)es$/i;

/** Words of which the plural follows no rule, by how they end. */
const IRREGULAR: readonly (readonly [RegExp, string])[] = [
  [/(?<=qui|whi|swi)zzes$/i, 'z'],
  [/people$/i, 'person'],
  [/(?<=child)ren$/i, ''],
  [/(?<=^|wo|sales|work)men$/i, 'man'],
  [/(?<=^|dor)mice$/i, 'mouse'],
  [/feet$/i, 'foot'],
  [/teeth$/i, 'tooth'],
  [/geese$/i, 'goose'],
  [/(?<=kni|wi|^li)ves$/i, 'fe'],
  [/(?<=shel|hal|thie|wol|loa|lea|cal|^el)ves$/i, 'f'],
  [/(?<=hero|potato|tomato|echo|veto|cargo|torpedo)es$/i, ''],
  [/(?<=analy|cri|hypothe|diagno|synop|the|parenthe|oa)ses$/i, 'sis'],
  [/(?<=ind|vert)ices$/i, 'ex'],
  [/(?<=matr)ices$/i, 'ix'],
  [/(?<=criteri|phenomen)a$/i, 'on'],
];

function singularOf(word: string): string {
  for (const [ending, singular] of IRREGULAR) if (ending.test(word)) return word.replace(ending, singular);
  if (ALIKE.test(word) || word.length < 3) return word;
  if (ONLY_S.test(word)) return word.slice(0, -1);
  if (/[^aeiou]ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (BY_ES.test(word)) return word.slice(0, -2);
  return word.replace(/s$/i, '');
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const camelCase = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('');
