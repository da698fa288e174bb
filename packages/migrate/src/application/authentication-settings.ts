import type { ObjectProperty } from '@babel/types';
import type { Remark } from '../remark.ts';
import { placeOf } from '../source/source.ts';
import { parseJson, propertyAt, stringAt, type JsonText } from './json-text.ts';

/** Notes what the settings of logins have that counts for something else here: a secret that is refused, which is not repeated, and tokens that are out. */
export function authenticationSettings(file: string, text: string): Remark[] {
  try {
    const json = parseJson(text);
    return [weakSecret(json), ...(file.endsWith('/default.json') ? [tokensThatAreOut(json)] : [])].flatMap((note) =>
      note === undefined
        ? []
        : [{ file, line: placeOf(note.at).line, reason: note.reason, section: 'What needs an option or a line of yours' as const }],
    );
  } catch {
    // Configuration that is no JSON is for whoever reads it.
    return [];
  }
}

interface Note {
  readonly at: ObjectProperty;
  readonly reason: string;
}

function weakSecret(json: JsonText): Note | undefined {
  const secret = stringAt(json, 'authentication', 'secret');
  const at = propertyAt(json, 'authentication', 'secret');
  if (secret === undefined || at === undefined || Buffer.byteLength(secret) >= 32) return undefined;
  return { at, reason: 'The secret has less than 32 bytes, which is refused: make another, or set allowWeakSecret in development' };
}

/**
 * There, one setting of `jwtOptions` took all defaults away, the name of who makes tokens among them. Files of one environment say a part of what holds.
 */
function tokensThatAreOut(json: JsonText): Note | undefined {
  const options = propertyAt(json, 'authentication', 'jwtOptions');
  if (options !== undefined) {
    if (propertyAt(json, 'authentication', 'jwtOptions', 'issuer') !== undefined) return undefined;
    return { at: options, reason: 'Tokens that were made without jwtOptions.issuer are refused: whoever is logged in logs in once more' };
  }
  const at = propertyAt(json, 'authentication', 'secret');
  return at && { at, reason: `Tokens that are out are refused, unless jwtOptions.issuer is 'feathers'` };
}
