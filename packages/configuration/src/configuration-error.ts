/** One setting that can not be used. It says what was expected and never what was found: that may be a secret. */
export interface ConfigurationProblem {
  /** Path of the setting, for example `authentication.secret`; empty for all settings together. */
  readonly path: string;
  /** What is wrong, for example `must be integer`. */
  readonly message: string;
  /** Where it is set, for example `config/production.json` or `the environment variable PORT`. Absent when it is set nowhere. */
  readonly source?: string;
  /** What to do about it, for example `correct it there`. */
  readonly mend: string;
}

/**
 * Settings can not be read, or are not what the schema asks for. The message is one sentence about the first problem.
 *
 * A program that does not catch it ends with that sentence on stderr, without a stack, and with exit code 1.
 */
export class ConfigurationError extends Error {
  static {
    this.prototype.name = 'ConfigurationError';
  }

  /** All problems that were found, at most 20. */
  readonly problems: readonly ConfigurationProblem[];

  /**
   * @param problems at least one problem
   * @param cause what a configuration file that is a program threw; kept for the developer
   */
  constructor(problems: readonly ConfigurationProblem[], cause?: unknown) {
    super(sentence(problems), cause === undefined ? undefined : { cause });
    this.problems = Object.freeze(problems.slice(0, 20));
    endProgramWith(this);
  }
}

function sentence([first, ...others]: readonly ConfigurationProblem[]): string {
  if (!first) return 'The configuration can not be used.';
  const { path, source, message, mend } = first;
  const setting =
    source === undefined ? `The setting '${path}'` : `The setting '${path}' (set ${isVariable(source) ? 'by' : 'in'} ${source})`;
  const what = path === '' ? `The configuration${source === undefined ? '' : ` in ${source}`}` : setting;
  const rest =
    others.length === 0 ? '' : `; also wrong: ${others.slice(0, 5).map(nameOf).join(', ')}${others.length > 5 ? ' and more' : ''}`;
  return `${what} ${message}: ${mend}${rest}.`;
}

function isVariable(source: string): boolean {
  return /^the (?:environment variable|argument) /.test(source);
}

function nameOf({ path }: ConfigurationProblem): string {
  return path === '' ? 'the whole' : `'${path}'`;
}

/**
 * What ends a program when nobody catches the error. The monitor runs before Node.js prints, and changes nothing for other errors;
 * an application that handles uncaught errors itself keeps doing so.
 */
function endProgramWith(error: ConfigurationError): void {
  watched.add(error);
  if (watching) return;
  watching = true;
  process.on('uncaughtExceptionMonitor', (uncaught: unknown) => {
    if (typeof uncaught !== 'object' || uncaught === null || !watched.has(uncaught)) return;
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
    process.stderr.write(`${(uncaught as Error).message}\n`);
    process.exit(1);
  });
}

const watched = new WeakSet<object>();
let watching = false;
