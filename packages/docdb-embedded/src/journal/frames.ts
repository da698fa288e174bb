import { crc32 } from 'node:zlib';

/** Bytes before each frame's content: length and checksum. */
export const FRAME_HEADER = 8;
/** First bytes of each file. */
export const MAGIC: Buffer = Buffer.from('DOCDB\u0001\r\n');

/** @returns a frame: length, checksum, content */
export function frame(content: Uint8Array): Buffer {
  const result = Buffer.allocUnsafe(FRAME_HEADER + content.length);
  result.writeUInt32LE(content.length, 0);
  result.writeUInt32LE(crc32(content), 4);
  result.set(content, FRAME_HEADER);
  return result;
}

/** What a file of frames holds. */
export interface FrameScan {
  readonly frames: readonly Buffer[];
  /** Bytes up to the end of the last whole frame. */
  readonly goodLength: number;
  /** Whether bytes follow that are no whole frame. */
  readonly torn: boolean;
  /** Whether whole frames follow after broken bytes: not a torn end, but damage in the middle. */
  readonly damaged: boolean;
}

/** Reads frames until the first that is not whole. */
export function scanFrames(bytes: Buffer): FrameScan {
  const frames: Buffer[] = [];
  let at = MAGIC.length;
  if (bytes.length < at || !bytes.subarray(0, at).equals(MAGIC)) {
    return { frames, goodLength: 0, torn: bytes.length > 0, damaged: bytes.length > at };
  }
  for (let content = frameAt(bytes, at); content; content = frameAt(bytes, at)) {
    frames.push(content);
    at += FRAME_HEADER + content.length;
  }
  const torn = at < bytes.length;
  return { frames, goodLength: at, torn, damaged: torn && wholeFrameAfter(bytes, at) };
}

function frameAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + FRAME_HEADER > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  const end = at + FRAME_HEADER + length;
  if (length === 0 || end > bytes.length) return undefined;
  const content = bytes.subarray(at + FRAME_HEADER, end);
  return crc32(content) === bytes.readUInt32LE(at + 4) ? content : undefined;
}

/** A frame with a wrong checksum that is followed by a sound one was not cut off by a crash. */
function wholeFrameAfter(bytes: Buffer, at: number): boolean {
  if (at + FRAME_HEADER > bytes.length) return false;
  const next = at + FRAME_HEADER + bytes.readUInt32LE(at);
  return next < bytes.length && frameAt(bytes, next) !== undefined;
}
