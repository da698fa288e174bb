const SCHEME = /^(?:https?|ftp):\/\//i;

/** A part of a name: letters and digits, with single hyphens between them. */
const LABEL = /^[a-z\d\u00a1-\uffff]+(?:-[a-z\d\u00a1-\uffff]+)*$/i;

/** The last part of a name. */
const TOP_LEVEL = /^[a-z\u00a1-\uffff]{2,}$/i;

/** Numbers of an address, as texts have them. */
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Tells addresses of the web and of file servers, as the format `url` means them: public names and numbers, with a user, a port and a path or without. The pattern that
 * validators have for it tries the user's part for each colon and each character behind it: a text of a hundred thousand characters, which any caller may send, takes it minutes.
 * This looks at each character a few times.
 *
 * @param text any text
 */
export function isUrl(text: string): boolean {
  if (!SCHEME.test(text) || /\s/.test(text)) return false;
  const parts = text.replace(SCHEME, '').split('@');
  // A user, and a path, may have an @ as well: whichever has a host behind it will do.
  return parts.some((part, index) => {
    const isUserMissing = index === 1 && parts[0] === '';
    const [host = '', ...path] = part.split('/', 2);
    return !isUserMissing && (path.length > 0 || index === parts.length - 1) && isHost(host);
  });
}

/** @param host a name or four numbers, with a port or without */
function isHost(host: string): boolean {
  const [name = '', port = '80', ...others] = host.split(':');
  if (others.length > 0 || !/^\d{2,5}$/.test(port)) return false;
  if (NUMBERS.test(name)) return isPublic(name.split('.'));
  const labels = name.split('.');
  return labels.length > 1 && TOP_LEVEL.test(labels.at(-1) ?? '') && labels.every((label) => LABEL.test(label));
}

/** Numbers that belong to no network of one's own, to no group of machines, and to one machine. */
function isPublic(texts: readonly string[]): boolean {
  const [first = 0, second = 0, third = 0, last = 0] = texts.map(Number);
  if (/^0/.test(texts[0] ?? '') || /^0/.test(texts[3] ?? '') || texts.some((text) => /^0\d\d/.test(text))) return false;
  if (first === 10 || first === 127 || (first === 172 && second >= 16 && second <= 31)) return false;
  if ((first === 169 && second === 254) || (first === 192 && second === 168)) return false;
  return first <= 223 && second <= 255 && third <= 255 && last <= 254;
}
