import { createHash } from 'node:crypto';
import { FieldNames } from '../bson/decode-fields.ts';
import { Binary, type Doc, isNumber, typeName } from '../bson/values.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { chunksOf } from '../declarations/commands/diagnostic.ts';
import { DocDbError } from '../errors.ts';
import { findSteps } from '../storage/find-documents.ts';
import type { Command } from './command.ts';
import { readingOf } from './query-command.ts';
import { prepareFind } from './read.ts';

const CHUNK = FieldNames.of(['n', 'data']);
/** Binary data of this kind begins with its length, once more. */
const OLD_BINARY = 2;

/** `filemd5`: the digest of a file that is kept in pieces, which older clients ask for when they close one. */
export const filemd5: Command = async (context) => {
  const { command, name, database, operation } = context;
  const ns = `${database}.${chunksOf(command)}`;
  const hash = createHash('md5');
  let numChunks = 0;
  const reading = readingOf(context);
  try {
    const collection = reading.reader.collection(ns);
    if (collection?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
    if (collection) {
      const { query } = prepareFind({ filter: { files_id: { $eq: command[name] } }, sort: { n: 1 } }, collection);
      for (const step of findSteps(reading.reader, collection, query, (found) => found.fields(CHUNK))) {
        for (const chunk of step) hash.update(contentOf(chunk, numChunks++));
        await operation.turn();
      }
    }
  } finally {
    reading.release();
  }
  return { numChunks, md5: hash.digest('hex') };
};

/** @throws DocDbError (10040, 50985) for a piece that is not the next one, and for one without content */
function contentOf({ n, data }: Doc, expected: number): Uint8Array {
  if (!isNumber(n) || toNumber(n) !== expected) throw new DocDbError(10040, 'chunks out of order');
  if (!(data instanceof Binary)) throw new DocDbError(50985, `The data of a chunk has to be binData, and is ${typeName(data)}`);
  return data.sub_type === OLD_BINARY ? data.buffer.subarray(4, data.position) : data.buffer.subarray(0, data.position);
}
