import { createInterface } from 'node:readline/promises';
import { CommandError } from '../command-error.ts';

/** Asks one question: the answer, or the default for an empty one. */
export type Ask = (question: string, standard: string, check: (answer: string) => void) => Promise<string>;

/** Who answers, and where the questions are written. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Ends the questions. */
export interface Questions {
  readonly ask: Ask;
  close(): void;
}

/**
 * Questions on a terminal. A wrong answer is told and asked again.
 *
 * @throws CommandError, from each question, when nobody answers: at the end of the input and at Ctrl+C
 */
export function questionsOn({ input, output }: Terminal): Questions {
  const lines = createInterface({ input, output, terminal: true });
  const ended = new AbortController();
  lines.once('SIGINT', () => {
    ended.abort();
  });
  lines.once('close', () => {
    ended.abort();
  });
  const ask: Ask = async (question, standard, check) => {
    for (;;) {
      const typed = await lines.question(`${question} (${standard}) `, { signal: ended.signal }).catch(() => undefined);
      if (typed === undefined) throw new CommandError('Nothing was written');
      const answer = typed.trim() === '' ? standard : typed.trim();
      try {
        check(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        output.write(`${error.message}\n`);
      }
    }
  };
  return {
    ask,
    close: () => {
      lines.close();
    },
  };
}
