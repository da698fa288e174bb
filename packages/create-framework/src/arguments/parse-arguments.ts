import { CommandError } from '../command-error.ts';
import { FLAGS, isFlag, SHORT, type FlagName, type FlagValues } from './flags.ts';
import { nearestName } from './nearest-name.ts';

/** A command line, read. */
export interface ParsedArguments {
  /** What is no flag, in order. */
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

/**
 * Reads a command line: `--name value`, `--name=value`, `name=value`, `--switch`, `--no-switch`, `-y`. What follows `--` is a word.
 *
 * @throws CommandError for a flag that there is not, with the nearest name, and for a value that is missing, twice or wrong
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const words: string[] = [];
  const flags = new Map<FlagName, string | boolean>();
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') {
      words.push(...rest.splice(0));
      continue;
    }
    const flag = flagOf(argument);
    if (flag === undefined) {
      words.push(argument);
      continue;
    }
    const { name, negated } = flag;
    const text = flag.text ?? (FLAGS[name] === 'text' ? valueOf(name, rest) : undefined);
    const value = FLAGS[name] === 'text' ? (text ?? '') : switched(name, text) !== negated;
    if (flags.has(name) && flags.get(name) !== value) throw new CommandError(`--${name} is given twice, with different values`);
    flags.set(name, value);
  }
  return { words, flags: Object.fromEntries(flags) };
}

interface FoundFlag {
  readonly name: FlagName;
  readonly negated: boolean;
  readonly text: string | undefined;
}

function flagOf(argument: string): FoundFlag | undefined {
  const [, dashes = '', typed = '', text] = /^(-{0,2})([^=]*)(?:=([^]*))?$/.exec(argument) ?? [];
  if (dashes === '') {
    // `database=memory`; a folder may have a `=` in its name.
    return text !== undefined && isFlag(typed) ? { name: typed, negated: false, text } : undefined;
  }
  const full = dashes === '-' ? SHORT[typed] : typed;
  if (full !== undefined && isFlag(full)) return { name: full, negated: false, text };
  const positive = full?.replace(/^no-/, '');
  if (positive !== undefined && positive !== full && isFlag(positive) && FLAGS[positive] === 'switch') {
    return { name: positive, negated: true, text };
  }
  const nearest = nearestName(
    typed,
    Object.entries(FLAGS).flatMap(([name, kind]) => (kind === 'switch' ? [name, `no-${name}`] : [name])),
  );
  const hint = nearest === undefined ? `There are ${listed()}` : `Did you mean --${nearest}?`;
  throw new CommandError(`There is no flag ${JSON.stringify(`${dashes}${typed}`.slice(0, 100))}. ${hint}`);
}

function valueOf(name: FlagName, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined || value.startsWith('--')) throw new CommandError(`--${name} needs a value: --${name}=…`);
  return value;
}

function switched(name: FlagName, text: string | undefined): boolean {
  if (text === undefined || /^(true|yes|1)$/.test(text)) return true;
  if (/^(false|no|0)$/.test(text)) return false;
  throw new CommandError(`--${name} is on or off: --${name} or --no-${name}`);
}

const listed = (): string =>
  Object.keys(FLAGS)
    .map((name) => `--${name}`)
    .join(', ');
