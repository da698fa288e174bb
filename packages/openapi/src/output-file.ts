import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What a program makes of the text that it has made. */
export interface OutputFile {
  /** Where it goes; `-` is the standard output. */
  readonly file: string;
  /** Whether nothing is written, and the file has to have this text. */
  readonly check: boolean;
  /** What is told of a file that has another. */
  readonly otherwise: string;
}

/** Writes a program's text, or compares a file with it, and tells of it on the standard error. `false`: the file has another text. */
export function putOut(text: string, { file, check, otherwise }: OutputFile): boolean {
  if (!check && file === '-') {
    process.stdout.write(text);
    return true;
  }
  if (!check) writeFileSync(file, text);
  const isSame = !check || (existsSync(file) && withPlainEnds(readFileSync(file, 'utf8')) === text);
  console.error(isSame ? `${file} is ${check ? 'up to date' : 'written'}` : `${file} ${otherwise}`);
  return isSame;
}

/** Git gives files the line ends of Windows there: that is the same text. */
function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
