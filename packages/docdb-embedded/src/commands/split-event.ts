import { encode, Encoded } from '../bson/encode.ts';
import { MAX_SENT_SIZE } from '../bson/limits.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Bytes above which an event is split: a document of the largest size and what lies around it are below. */
const MOST_UNSPLIT = MAX_SENT_SIZE - 8 * 1024;
/** Bytes that the id of a part and its number may take. */
const FRONT = 1024;

/** @throws DocDbError (10334) for an event that no answer has room for */
export function wholeEvent(event: Doc): Encoded {
  const bytes = encode(event);
  if (bytes.length > MAX_SENT_SIZE) throw tooLarge(bytes.length);
  return new Encoded(bytes);
}

function tooLarge(size: number): DocDbError {
  return new DocDbError(
    10334,
    `An event of ${String(size)} bytes is larger than ${String(MAX_SENT_SIZE)}: leave out fields, or end the pipeline with $changeStreamSplitLargeEvent`,
    { errorLabels: ['NonResumableChangeStreamError'] },
  );
}

/**
 * Cuts an event that is too large into parts, between its fields.
 *
 * @param idOf the id of a part, by its number from 1 on
 * @returns the event as it is when it is small enough, else its parts
 * @throws DocDbError (10334) for an event of which one field is too large
 */
export function splitEvent(event: Doc, idOf: (fragment: number) => Doc): readonly Encoded[] {
  const whole = encode(event);
  if (whole.length <= MOST_UNSPLIT) return [new Encoded(whole)];
  const { _id: _whole, ...fields } = event;
  // The small ones first: they are in few parts.
  const sized = Object.keys(fields)
    .map((name) => ({ name, size: encode({ [name]: fields[name] }).length }))
    .sort((a, b) => a.size - b.size);
  const parts: Doc[] = [];
  let room = 0;
  for (const { name, size } of sized) {
    if (size > MOST_UNSPLIT - FRONT) throw tooLarge(size);
    if (size > room) {
      parts.push({});
      room = MOST_UNSPLIT - FRONT;
    }
    Object.assign(parts.at(-1) ?? {}, { [name]: fields[name] });
    room -= size;
  }
  return parts.map((part, at) => new Encoded(encode({ _id: idOf(at + 1), splitEvent: { fragment: at + 1, of: parts.length }, ...part })));
}
