import type { Doc, Value } from '../bson/values.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Lines that are kept. */
const MOST_LINES = 1024;
/** Signs of what a client has sent that a line shows. */
const MOST_SIGNS = 1000;

/** A document that does not fit the validator of its collection. */
export interface Misfit {
  readonly namespace: string;
  readonly document: Doc;
  /** Why it does not. */
  readonly errInfo: Value;
}

/** What the server has to say of itself, as `getLog` shows it: the newest lines, in memory. */
export class ServerLog {
  /** What there was to say at the start. */
  readonly startupWarnings: readonly string[];
  readonly #lines: string[];
  #written = 1;

  constructor(warning: string) {
    this.startupWarnings = [lineOf('W', 'CONTROL', 'initandlisten', warning, {})];
    this.#lines = [...this.startupWarnings];
  }

  /** Writes who a connection is of. */
  writeClient(connection: number, remote: string, client: Doc): void {
    this.#write(lineOf('I', 'NETWORK', `conn${String(connection)}`, 'client metadata', { remote, doc: shown(client) }));
  }

  /** Writes that a command begins. */
  writeCommand(connection: number, database: string, command: Doc): void {
    this.#write(
      lineOf('D1', 'COMMAND', `conn${String(connection)}`, 'About to run the command', {
        db: database,
        commandArgs: shown(withoutSecrets(command)),
      }),
    );
  }

  /** Writes that a document does not fit a validator; whoever runs the server is told at once. */
  writeMisfit(connection: number, message: string, { namespace, document, errInfo }: Misfit): void {
    const attributes = { namespace, document: shown(document), errInfo: shown(errInfo) };
    const line = lineOf('W', 'STORAGE', `conn${String(connection)}`, message, attributes);
    console.warn(line);
    this.#write(line);
  }

  #write(line: string): void {
    this.#written += 1;
    this.#lines.push(line);
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
  }

  /** How many lines there have been. */
  get written(): number {
    return this.#written;
  }

  /** The newest lines. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}

function lineOf(severity: string, component: string, context: string, message: string, attributes: Doc): string {
  return JSON.stringify({
    t: { $date: new Date().toISOString() },
    s: severity,
    c: component,
    ctx: context,
    msg: message,
    attr: attributes,
  });
}

/** What a client has sent, as a text that is not long. */
function shown(value: Value): string {
  const text = JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}
