import { putBounded } from '../values.ts';

/** Time after which a token that was not revoked is asked for again, in milliseconds. */
const REREAD = 30_000;

/** What a process knows of single tokens that were logged out. */
export class KnownRevocations {
  readonly #tokens = new Map<string, { readonly yes: boolean; readonly readAt: number }>();
  readonly #size: number;

  /** @param size tokens that are remembered */
  constructor(size: number) {
    this.#size = size;
  }

  /** @returns whether a token was revoked; `undefined` where that has to be asked for */
  get(token: string): boolean | undefined {
    const known = this.#tokens.get(token);
    return known && (known.yes || performance.now() - known.readAt <= REREAD) ? known.yes : undefined;
  }

  /** @param yes whether the token was revoked */
  set(token: string, yes: boolean): void {
    putBounded(this.#tokens, token, { yes, readAt: performance.now() }, this.#size);
  }

  clear(): void {
    this.#tokens.clear();
  }
}
