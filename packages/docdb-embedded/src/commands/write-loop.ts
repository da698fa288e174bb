import { DocDbError } from '../errors.ts';
import type { Writer } from '../storage/writer.ts';
import { WaitFor } from '../transactions/transaction.ts';
import type { CommandContext } from './command.ts';
import { INTERRUPTED } from './operation.ts';
import { targetOf } from './operations.ts';

/** Milliseconds that one write lasts before others get their turn. */
const WRITE_SLICE = 10;
/** The same where others have asked for something since the last one. */
const SHARED_SLICE = 4;
/** The same of a batch that is short by itself, where nobody else is there: each commit writes the upper pages of all indexes again. */
const ALONE_SLICE = 50;
/** Milliseconds without others after which nobody else is there. */
const ALONE_AFTER = 1000;

/** How far a statement came: to its end, to a search that others need not wait for, or to the end of its time. */
export type Advance = 'done' | 'search' | 'turn';

/** One statement of a write. */
export interface Statement {
  /**
   * Goes on within a write. Each document is prepared before it is written, and a WaitFor is thrown before: then it goes on
   * with that document.
   *
   * @param end when others get their turn, as `performance.now()` tells it
   */
  advance(writer: Writer, end: number): Advance;
  /** Looks for documents outside of writes. */
  search?(): Promise<void>;
}

/** Statements that are carried out one after the other. */
export interface Batch {
  readonly count: number;
  /** Whether it gives room back: then it may run in a file that has its largest size. */
  readonly frees?: boolean;
  /** Whether each statement takes no longer than its document is large. */
  readonly short?: boolean;
  /** Full names of what is written, where that is not the collection of the command. */
  readonly collections?: readonly string[];
  begin(at: number): Statement;
  /** @returns whether the statements behind one that failed are carried out; without it the error is the caller's */
  failed?(at: number, error: DocDbError): boolean;
  /** Runs in each write, behind what it writes. */
  after?(writer: Writer, next: number, done: boolean): void;
}

/**
 * Carries out statements in as few writes as there may be, each short enough for others; a statement that meets a
 * transaction goes on behind it, and nothing is done twice.
 *
 * @param from the first statement that is not done yet
 */
export async function runBatch(context: CommandContext, batch: Batch, from = 0): Promise<void> {
  let next = from;
  let current: Statement | undefined;
  let stopped = false;
  const statement = (): Statement => (current ??= batch.begin(next));
  const leave = (): void => {
    current = undefined;
  };
  const guarded = (error: unknown): void => {
    if (error instanceof WaitFor || !(error instanceof DocDbError) || !batch.failed || INTERRUPTED.has(error.code)) throw error;
    leave();
    stopped = !batch.failed(next, error);
    next += 1;
  };
  const open = (): boolean => next < batch.count && !stopped;
  const { operations } = context.server;
  let begun = operations.begun;
  const work = (writer: Writer): Advance | WaitFor => {
    // What it reads is given back when it ends, between a search and the write as well.
    context.transaction?.checkOpen();
    const now = performance.now();
    const quiet = operations.begun === begun;
    const alone = quiet && batch.short === true && operations.isAlone(context.operation, now - ALONE_AFTER);
    const end = now + (alone ? ALONE_SLICE : quiet ? WRITE_SLICE : SHARED_SLICE);
    begun = operations.begun;
    try {
      while (open()) {
        try {
          const state = statement().advance(writer, end);
          if (state !== 'done') return state;
          leave();
          next += 1;
        } catch (error) {
          guarded(error);
        }
        if ((performance.now() >= end || writer.isSpent) && open()) return 'turn';
      }
      return 'done';
    } catch (error) {
      if (error instanceof WaitFor) return error;
      throw error;
    } finally {
      batch.after?.(writer, next, !open());
    }
  };
  const collections = batch.collections ?? [`${context.database}.${targetOf(context.command) ?? ''}`];
  let isFirst = context.transaction === undefined;
  const write = (): Promise<Advance | WaitFor> => {
    const written = context.server.store.write(work, batch.frees, context.operation);
    if (!isFirst) return written;
    isFirst = false;
    return operations.firstWrites.note(collections, context.server.connectionsMade(), written);
  };
  while (open()) {
    // What a transaction sees can be read outside of writes only.
    const searches = context.transaction !== undefined && !current && statement().search !== undefined;
    const state = searches ? 'search' : await write();
    if (state === 'search') {
      try {
        await current?.search?.();
      } catch (error) {
        guarded(error);
      }
    } else if (state instanceof WaitFor) await context.operation.until(state.transaction.ended);
    else context.operation.check();
  }
}

/** Does something for each of many, as {@link runBatch} does. */
export function eachPatiently(context: CommandContext, count: number, one: (writer: Writer, at: number) => void): Promise<void> {
  return runBatch(context, {
    count,
    begin: (at) => ({
      advance(writer) {
        one(writer, at);
        return 'done';
      },
    }),
  });
}

/** As {@link eachPatiently}; what was done before one that fails stays. */
export async function eachUntilError(
  context: CommandContext,
  count: number,
  one: (writer: Writer, at: number) => void,
  passes: (error: DocDbError) => boolean = () => false,
): Promise<void> {
  let failure: DocDbError | undefined;
  await runBatch(context, {
    count,
    begin: (at) => ({
      advance(writer) {
        one(writer, at);
        return 'done';
      },
    }),
    failed(_at, error) {
      failure ??= error;
      return passes(error);
    },
  });
  if (failure) throw failure;
}
