import { inspect } from 'node:util';

/** Who may do everything from the start. */
export interface FirstUser {
  /** Name of a user of the database `admin`. */
  readonly user: string;
  readonly password: string;
}

const AUTH = ['user', 'password'];
const TLS = ['certFile', 'keyFile', 'caFile'];

const SYNC: readonly unknown[] = ['always', 'interval', 'never'];

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
/** What each option of one value takes. A port that is a text would be a socket in the file system, and `'false'` what turns a switch on. */
const KINDS: readonly (readonly [option: string, expected: string, takes: (value: unknown) => boolean])[] = [
  ['port', 'a number from 0 to 65535', (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535],
  ['path', 'the name of a folder', (value) => typeof value === 'string' && value !== ''],
  ['sync', SYNC.join(', '), (value) => SYNC.includes(value)],
  ['maxSize', 'a number of bytes above 0', (value) => typeof value === 'number' && value > 0],
  ['failPoints', 'true or false', isFlag],
  ['unref', 'true or false', isFlag],
];

/**
 * Looks at the options before a server is started: what is not understood is not passed over.
 *
 * @throws TypeError for an option that is unknown or of the wrong kind
 */
export function checkStartOptions(options: object, known: readonly string[]): void {
  onlyKnown('an option', options, known);
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [option, expected, takes] of KINDS) {
    const value = given.get(option);
    if (value !== undefined && !takes(value)) throw new TypeError(`The option ${option} takes ${expected}, not ${inspect(value)}`);
  }
  const auth = given.get('auth');
  const tls = given.get('tls');
  if (auth !== undefined && typeof auth !== 'boolean') checkTexts('auth', 'true, false or { user, password }', auth, AUTH, AUTH);
  if (tls === undefined) return;
  checkTexts('tls', '{ certFile, keyFile, caFile }', tls, TLS, TLS.slice(0, 2));
  for (const [name, text] of Object.entries(tls as object)) checkPath(name, text);
}

/** A key in the place of its path would be shown by what can not open it, and to others on the machine as an argument. */
function checkPath(name: string, text: unknown): void {
  if (typeof text === 'string' && /-----BEGIN|[\n\r]/.test(text))
    throw new TypeError(`The option tls.${name} takes the path of a file (PEM), not what is in it: write that to a file of its own`);
}

function onlyKnown(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`'${unknown}' is not ${what} of docdb-embedded; there are ${known.join(', ')}`);
}

function checkTexts(option: string, expected: string, given: unknown, known: readonly string[], required: readonly string[]): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`The option ${option} takes ${expected}`);
  onlyKnown(`a part of the option ${option}`, given, known);
  const texts = new Map<string, unknown>(Object.entries(given));
  for (const name of known) {
    const text = texts.get(name);
    if (typeof text !== 'string' && (required.includes(name) || text !== undefined))
      throw new TypeError(`The option ${option}.${name} takes a text: ${option} is ${expected}`);
  }
}

/**
 * @returns whether clients have to log in, or the first user
 * @throws Error for half a user, and for one where nobody has to log in
 */
export function authOfEnvironment(
  isOn: boolean,
  [userName, user]: readonly [string, string | undefined],
  [passwordName, password]: readonly [string, string | undefined],
): boolean | FirstUser {
  if ((user === undefined) !== (password === undefined)) throw new Error(`${userName} and ${passwordName} need each other`);
  if (user === undefined || password === undefined) return isOn;
  if (!isOn) throw new Error(`${userName} names a first user, and nobody would have to log in: start with --auth, or unset it`);
  return { user, password };
}
