import type { Remark } from '../remark.ts';
import { placeOf } from '../source/source.ts';
import { parseJson, propertyAt, stringAt } from './json-text.ts';

/** Notes a secret that is refused here. The secret is not repeated. */
export function weakSecret(file: string, text: string): Remark[] {
  try {
    const json = parseJson(text);
    const secret = stringAt(json, 'authentication', 'secret');
    const property = propertyAt(json, 'authentication', 'secret');
    if (secret === undefined || property === undefined || Buffer.byteLength(secret) >= 32) return [];
    const reason = 'The secret has less than 32 bytes, which is refused: make another, or set allowWeakSecret in development';
    return [{ file, line: placeOf(property).line, reason, section: 'What needs an option or a line of yours' }];
  } catch {
    // Configuration that is no JSON is for whoever reads it.
    return [];
  }
}
