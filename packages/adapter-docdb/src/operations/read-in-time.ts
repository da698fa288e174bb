import { withinLimit } from './within-limit.ts';

type Asking = (...given: unknown[]) => PromiseLike<unknown>;

/** What all cursors of the driver have. */
interface Cursor {
  bufferedCount(): number;
  clone(): Cursor;
}

/** What asks the server; all else that reads, as `toArray`, `forEach`, a stream or a loop, goes through these. */
const ASKING = ['next', 'hasNext', 'tryNext', 'explain', 'count', 'close'] as const;

/** Answered without the server while there are documents that it has sent before. */
const BUFFERED: ReadonlySet<string> = new Set(['next', 'hasNext', 'tryNext']);

export function isCursor(made: unknown): made is Cursor {
  return (
    typeof made === 'object' &&
    made !== null &&
    ['next', 'bufferedCount', 'clone'].every((name) => typeof Reflect.get(made, name) === 'function')
  );
}

/**
 * Bounds the time of each command of a cursor, however it is read. One that waits for documents that are still to come has no bound.
 *
 * @param cursor gets methods of its own
 * @param limit milliseconds
 * @param client whose connections are let go that will never answer
 * @returns the cursor
 */
export function readInTime<C extends Cursor>(cursor: C, limit: number, client: unknown): C {
  for (const name of ASKING) {
    const ask = methodOf(cursor, name);
    if (ask === undefined) continue;
    Reflect.set(cursor, name, (...given: unknown[]) => {
      const free = BUFFERED.has(name) && (cursor.bufferedCount() > 0 || waits(cursor));
      const answer = ask(...given);
      return free ? answer : withinLimit(answer, limit, client);
    });
  }
  const clone = cursor.clone.bind(cursor);
  return Object.assign(cursor, { clone: () => readInTime(clone(), limit, client) });
}

function methodOf(cursor: Cursor, name: string): Asking | undefined {
  const method: unknown = Reflect.get(cursor, name);
  return typeof method === 'function' ? (...given) => Reflect.apply(method as Asking, cursor, given) : undefined;
}

/** The driver keeps what `find` or a flag has said. */
function waits(cursor: Cursor): boolean {
  const options: unknown = Reflect.get(cursor, 'cursorOptions');
  return typeof options === 'object' && options !== null && 'tailable' in options && options.tailable === true;
}
