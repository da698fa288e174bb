// Texts may hold bytes that are no UTF-8: drivers may send them, and the server cuts long texts in its messages within a character. Each such byte is read as
// a unit of its own, U+DC80 to U+DCFF, which no UTF-8 becomes otherwise, and written as the byte again.
const ESCAPED = /[\udc80-\udcff]/u;
const ESCAPE = 0xdc00;

/** @returns the text that stands between two places, none of its bytes lost */
export function readText(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\ufffd') ? readEscaped(bytes, from, to) : text;
}

/**
 * Writes a text as {@link readText} reads it.
 *
 * @param bytes have room for three bytes for each unit of the text
 * @param mark a byte that is written before each one that is no UTF-8
 * @returns how many bytes it takes
 */
export function writeText(text: string, bytes: Buffer, at: number, mark?: number): number {
  const length = bytes.write(text, at, 'utf8');
  // ASCII has a byte for each unit.
  if (length === text.length || !ESCAPED.test(text)) return length;
  let end = at;
  let written = 0;
  for (const index of escapes(text)) {
    end += bytes.write(text.slice(written, index), end, 'utf8');
    if (mark !== undefined) bytes[end++] = mark;
    bytes[end++] = text.charCodeAt(index) - ESCAPE;
    written = index + 1;
  }
  return end - at + bytes.write(text.slice(written), end, 'utf8');
}

/** @returns the bytes of a text */
export function bytesOf(text: string): Buffer {
  if (!ESCAPED.test(text)) return Buffer.from(text);
  const bytes = Buffer.allocUnsafe(text.length * 3);
  return bytes.subarray(0, writeText(text, bytes, 0));
}

/** @returns where the units of a text are that stand for a byte */
function* escapes(text: string): Generator<number> {
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) as number;
    if (point > 0xffff) index += 1;
    else if (point >= 0xdc80 && point <= 0xdcff) yield index;
  }
}

function readEscaped(bytes: Buffer, from: number, to: number): string {
  const units = Buffer.allocUnsafe((to - from) * 2);
  let length = 0;
  const add = (unit: number): void => {
    length = units.writeUInt16LE(unit, length);
  };
  for (let at = from; at < to;) {
    const size = sizeAt(bytes, at, to);
    if (size === 0) add(ESCAPE + (bytes[at++] as number));
    else {
      length += units.write(bytes.toString('utf8', at, at + size), length, 'utf16le');
      at += size;
    }
  }
  return units.toString('utf16le', 0, length);
}

/** @returns how many bytes the character takes that begins at a place; 0 where none does */
function sizeAt(bytes: Buffer, at: number, to: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > to) return 0;
  const second = bytes[at + 1] as number;
  // No longer ways of writing, no halves of pairs, nothing behind the last character.
  if (second < (LEAST[first] ?? 0x80) || second > (LARGEST[first] ?? 0xbf)) return 0;
  for (let next = at + 2; next < at + size; next++) if (((bytes[next] as number) & 0xc0) !== 0x80) return 0;
  return size;
}

/** What may follow a first byte, where it is less than any. */
const LEAST: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 };
const LARGEST: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f };
