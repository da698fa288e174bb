import { expect } from '@jest/globals';
import type { Answer } from '../harness.ts';
import type { SessionModel, Tokens } from './session-model.ts';

/** A step: does something to the processes, says so to the model, and expects what the model expects. */
export type Step = () => Promise<void>;

/** Expects the status of an answer, and says in which step of which seed it was another. */
export type ExpectStatus = (answer: Answer, status: number, what: string) => void;

export function statusExpecter(model: SessionModel): ExpectStatus {
  return (answer, status, what) => expect([model.step, what, answer.status]).toEqual([model.step, what, status]);
}

export function tokensOf({ body }: Answer): Tokens {
  return body as Tokens;
}
