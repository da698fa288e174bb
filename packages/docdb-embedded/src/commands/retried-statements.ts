import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import type { RetryRecord } from '../transactions/sessions.ts';

/**
 * What the answer of a write that was sent again says of its statements that were carried out before.
 *
 * @param record how far it had come
 * @returns the fields that lie beside the answer; none where nothing had been written
 */
export function retriedStatements(command: Doc, name: string, record: RetryRecord): Doc {
  const { next, answer = {}, outcomes } = record;
  const idOf = (at: number): number => {
    const { stmtId, stmtIds } = command;
    return toNumber((Array.isArray(stmtIds) ? (stmtIds as unknown[])[at] : undefined) ?? toNumber(stmtId ?? 0) + at);
  };
  if (name.toLowerCase() === 'findandmodify') {
    const { lastErrorObject: done } = answer;
    return isDocument(done) && toNumber(done.n) > 0 ? { retriedStmtId: idOf(0) } : {};
  }
  const failed = new Set(((answer.writeErrors ?? []) as Doc[]).map(({ index }) => toNumber(index)));
  const isWritten = (at: number): boolean => (outcomes ? outcomes[at]?.error === undefined && (outcomes[at]?.n ?? 0) > 0 : !failed.has(at));
  const written = outcomes || toNumber(answer.n ?? 0) > 0 ? Array.from({ length: next }, (_none, at) => at).filter(isWritten) : [];
  return written.length > 0 ? { retriedStmtIds: written.map(idOf) } : {};
}
