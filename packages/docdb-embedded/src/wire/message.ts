import { encode } from '../bson/encode.ts';
import { type Doc, Double, setOwn } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { crc32c } from './crc32c.ts';
import { failedQuery, readOldQuery } from './old-messages.ts';
import { readSent } from './sent-document.ts';

/** Largest message, in bytes. */
export const MAX_MESSAGE = 48_000_000;
const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_GET_MORE = 2005;
const OP_COMPRESSED = 2012;
const OP_REPLY = 1;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 0x10000;
/** Flags of answers to messages of the old kind. */
const AWAIT_CAPABLE = 8;
const QUERY_FAILED = 2;
/** Bits of which a receiver has to know each that is set. */
const REQUIRED = 0xffff;
/** Codes of the errors that are answered: for documents that are too deep, too large or none, and for parts of a command that come twice. */
const ANSWERED: ReadonlySet<number> = new Set([15, 22, 10334, 40413, 40430, 40431, 40433]);

const COMPRESSED = 'The server takes no compressed messages, and agrees on none in its greeting: send them as they are';

/** A command that came over a connection. */
export interface Request {
  readonly id: number;
  readonly command: Doc;
  /** Whether the client waits for an answer. */
  readonly answered: boolean;
  /** Whether the client takes more answers than one. */
  readonly exhaust: boolean;
  /** Whether the answer has the form of drivers before OP_MSG; only greetings come so. */
  readonly legacy: boolean;
  /** The answer that says why it is not carried out; the connection goes on. */
  readonly refused?: Doc;
  /** Whether the connection ends behind the answer. */
  readonly isLast?: boolean;
}

/**
 * Reads one message.
 *
 * @param bytes a whole message with its header
 * @throws DocDbError (17) for messages of another kind, or that do not parse
 */
export function readMessage(bytes: Buffer): Request {
  const id = bytes.readInt32LE(4);
  const kind = bytes.readInt32LE(12);
  if (kind === OP_MSG) return readOrRefuse(id, bytes);
  if (kind === OP_QUERY) return readOpQuery(id, bytes);
  if (kind === OP_GET_MORE) return { ...OLD, id, refused: failedQuery('OP_GET_MORE') };
  // Whether it wants an answer is not to be seen.
  if (kind === OP_COMPRESSED) return { ...OLD, id, legacy: false, refused: refusal(new DocDbError(17, COMPRESSED)), isLast: true };
  throw new DocDbError(17, `Unsupported message kind ${String(kind)}`);
}

/** @returns a message of which nothing but its beginning was kept, to be refused */
export function readBeginning(bytes: Buffer, refused: DocDbError): Request {
  const legacy = bytes.readInt32LE(12) === OP_QUERY;
  const answered = legacy || (bytes.readUInt32LE(16) & MORE_TO_COME) === 0;
  return { id: bytes.readInt32LE(4), command: {}, answered, exhaust: false, legacy, refused: refusal(refused) };
}

/** A message that can be read but not taken is answered: where the next message begins is known. */
function readOrRefuse(id: number, bytes: Buffer): Request {
  try {
    return readOpMsg(id, bytes);
  } catch (error) {
    if (!(error instanceof DocDbError) || !ANSWERED.has(error.code)) throw error;
    const answered = (bytes.readUInt32LE(16) & MORE_TO_COME) === 0;
    return { id, command: {}, answered, exhaust: false, legacy: false, refused: refusal(error) };
  }
}

function readOpMsg(id: number, bytes: Buffer): Request {
  const flags = bytes.readUInt32LE(16);
  if ((flags & REQUIRED & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0)
    throw new DocDbError(17, `Unknown flags of a message: ${flags.toString(2)}`);
  const end = bytes.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  if (end < bytes.length && crc32c(bytes.subarray(0, end)) !== bytes.readUInt32LE(end))
    throw new DocDbError(17, 'The checksum of the message is not that of its content');
  let command: Doc | undefined;
  const sequences = new Map<string, Doc[]>();
  for (let at = 20; at < end;) {
    const section = bytes[at++];
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > end) throw new DocDbError(17, 'A section of the message is cut off');
    if (section === 0) {
      if (command) throw new DocDbError(40430, 'Multiple body sections in message');
      command = readSent(bytes, at, end);
    } else if (section === 1) readSequence(bytes, at, size, sequences);
    else throw new DocDbError(17, `Unknown section kind ${String(section)}`);
    at += size;
  }
  if (!command) throw new DocDbError(17, 'The message has no body');
  for (const [name, documents] of sequences) {
    if (Object.hasOwn(command, name)) throw new DocDbError(40433, `Duplicate field between body and document sequence ${name}`);
    setOwn(command, name, documents);
  }
  return {
    id,
    command,
    answered: (flags & MORE_TO_COME) === 0,
    exhaust: (flags & EXHAUST_ALLOWED) !== 0,
    legacy: false,
  };
}

function readSequence(bytes: Buffer, at: number, size: number, sequences: Map<string, Doc[]>): void {
  const end = at + size;
  const nameEnd = bytes.indexOf(0, at + 4);
  if (nameEnd < 0 || nameEnd >= end) throw new DocDbError(17, 'A document sequence has no name');
  const documents: Doc[] = [];
  for (let position = nameEnd + 1; position < end; position += bytes.readInt32LE(position)) documents.push(readSent(bytes, position, end));
  const name = bytes.toString('utf8', at + 4, nameEnd);
  if (sequences.has(name)) throw new DocDbError(40431, `Duplicate document sequence: ${name}`);
  sequences.set(name, documents);
}

/** What messages before OP_MSG have in common. */
const OLD = { command: {}, answered: true, exhaust: false, legacy: true };

function readOpQuery(id: number, bytes: Buffer): Request {
  const query = readOldQuery(bytes);
  if ('command' in query) return { ...OLD, id, command: query.command };
  return { ...OLD, id, refused: query.refused instanceof DocDbError ? refusal(query.refused) : query.refused };
}

/**
 * @param goesOn whether another answer follows
 * @returns the bytes of an answer
 */
export function writeMessage(request: Request, answer: Doc, goesOn = false): Buffer[] {
  const body = bodyOf(answer);
  if (request.legacy) {
    const header = Buffer.alloc(36);
    writeHeader(header, 36 + body.length, request.id, OP_REPLY);
    header.writeInt32LE(answer.$err === undefined ? AWAIT_CAPABLE : QUERY_FAILED, 16);
    header.writeInt32LE(1, 32);
    return [header, body];
  }
  const header = Buffer.alloc(21);
  writeHeader(header, 21 + body.length, request.id, OP_MSG);
  if (goesOn) header.writeUInt32LE(MORE_TO_COME, 16);
  return [header, body];
}

/** @returns the answer that tells of an error, without what the server adds to answers */
export function refusal(error: DocDbError): Doc {
  return { ok: new Double(0), errmsg: error.message, code: error.code, codeName: error.codeName };
}

/** An answer that can not be written is an error and not the end of the connection. */
function bodyOf(answer: Doc): Buffer {
  try {
    const body = encode(answer);
    if (body.length <= MAX_MESSAGE) return body;
  } catch (error) {
    if (error instanceof DocDbError) return encode(refusal(error));
    throw error;
  }
  return encode(refusal(new DocDbError(10334, `The answer is larger than ${String(MAX_MESSAGE)} bytes`)));
}

function writeHeader(header: Buffer, length: number, responseTo: number, kind: number): void {
  header.writeInt32LE(length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(kind, 12);
}
