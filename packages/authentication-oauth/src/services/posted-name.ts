import { POSTED_NAME } from '../lengths.ts';
import type { OAuthProfile } from '../providers/preset.ts';
import { isText, property } from '../values.ts';

/**
 * The name that a browser posts with the first login of a person. It comes from the browser, so it is a name and nothing more: no
 * address, and nobody's identity.
 *
 * @param user JSON text
 */
export function firstName(user: unknown): OAuthProfile {
  if (!isText(user, POSTED_NAME)) return {};
  let name: unknown;
  try {
    name = property(JSON.parse(user), 'name');
  } catch {
    return {};
  }
  const [given, family] = [property(name, 'firstName'), property(name, 'lastName')].map((part) => (isText(part, 200) ? part : undefined));
  const parts = [given, family].filter((part) => part !== undefined);
  if (parts.length === 0) return {};
  return {
    name: parts.join(' '),
    ...(given === undefined ? {} : { given_name: given }),
    ...(family === undefined ? {} : { family_name: family }),
  };
}
