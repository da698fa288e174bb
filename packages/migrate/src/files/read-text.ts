import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** A file that was read as text. */
export interface TextFile {
  readonly text: string;
  /** Whether the text, written again, is the file byte by byte. */
  readonly exact: boolean;
}

/**
 * Reads a file as UTF-8.
 *
 * @returns `undefined` where there is none
 * @throws Error of the file system for a file that can not be read
 */
export function readText(path: string): TextFile | undefined {
  try {
    const bytes = readFileSync(path);
    return { text: bytes.toString('utf8'), exact: isUtf8(bytes) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return undefined;
    throw error;
  }
}
