import type { DocDbError } from '../errors.ts';
import { roughSize } from '../spill/rough-size.ts';

/** What is said of an error among many. */
export type ToldError = Pick<DocDbError, 'code' | 'message' | 'extra'>;

/** Bytes of the messages of one write; what is said behind them is empty, as MongoDB does it. */
const MOST_MESSAGES = 2 ** 20;
/** Bytes of what is told beside the messages: an answer has an end. */
const MOST_DETAILS = 2 ** 23;

/** Says no more of errors than their codes where much has been said of those before them. */
export class ErrorRoom {
  #messages = 0;
  #details = 0;

  /** @returns what is said of one more */
  tell({ code, message, extra }: DocDbError): ToldError {
    const told = {
      code,
      message: this.#messages < MOST_MESSAGES ? message : '',
      extra: this.#details < MOST_DETAILS ? extra : {},
    };
    this.#messages += message.length;
    this.#details += roughSize(extra);
    return told;
  }
}
