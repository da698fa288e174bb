import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asClientError } from './parse-json.ts';

/** The option `verify` of Express's parsers, which sees the bytes of a body, uncompressed, before they become text. */
type Verify = (req: IncomingMessage, res: ServerResponse, bytes: Buffer, charset: string) => void;

/**
 * An option `verify` with which a parser of Express refuses bytes that are no UTF-8 in a body that is said to be UTF-8. Express puts
 * U+FFFD in place of them, so that what is kept would not be what was sent. Bodies in other charsets are decoded as by Express.
 *
 * @param options of the application, whose own `verify` is asked first
 */
export function verifyUtf8({ verify }: { readonly verify?: Verify | undefined } = {}): Verify {
  // Express says itself what is wrong with it.
  if (verify && typeof verify !== 'function') return verify;
  return (req, res, bytes, charset) => {
    if (verify) verify(req, res, bytes, charset);
    const refusal = isNamedUtf8(charset) ? refusalOfBytes(bytes) : undefined;
    if (refusal) throw refusal;
  };
}

/** As the decoder of Express reads names: in any case, without a year at the end and any punctuation. */
function isNamedUtf8(charset: string): boolean {
  return UTF8_NAMES.has(charset.toLowerCase().replaceAll(/:\d{4}$|[^\da-z]/g, ''));
}

const UTF8_NAMES: ReadonlySet<string> = new Set(['utf8', 'unicode11utf8']);

/**
 * @param bytes of a body that is said to be UTF-8
 * @returns the error (400) where they are not
 */
export function refusalOfBytes(bytes: Buffer): Error | undefined {
  if (isUtf8(bytes)) return undefined;
  const error = new Error('The body has bytes that are no UTF-8. Send it in UTF-8, or name its charset in Content-Type');
  error.name = 'BadRequestError';
  return asClientError(error, { body: bytes, type: 'encoding.invalid' });
}
