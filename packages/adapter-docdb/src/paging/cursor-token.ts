import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { BadRequest } from '@framework/errors';
import { BSON, type Document } from 'mongodb';

/** Longest cursor, in characters: addresses have little room for more. */
const MAX_LENGTH = 8192;
const IV = 12;
const TAG = 16;

/** Keys of services that were given none: cursors then hold for one process. */
const ownKey = randomBytes(32);

/** Makes and reads cursors of one service: encrypted and authenticated, so that callers can neither read nor change them. */
export class CursorTokens {
  readonly #key: Buffer;

  /** @param secret the same in all processes that share the cursors; without one they hold in this process alone */
  constructor(secret: string | Uint8Array | undefined) {
    this.#key = secret === undefined ? ownKey : createHash('sha256').update('cursor').update(secret).digest();
  }

  /**
   * @param content what the cursor says
   * @param purpose what the cursor is for; it can not be read for anything else
   * @returns `undefined` where it would be longer than what is read
   */
  write(content: Document, purpose: string): string | undefined {
    const plain = BSON.serialize(content);
    if ((IV + TAG + plain.length) * 4 > MAX_LENGTH * 3) return undefined;
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /**
   * @returns what the cursor says
   * @throws BadRequest (400) for anything but a cursor of this service for the same purpose
   */
  read(name: string, cursor: unknown, purpose: string): Document {
    try {
      if (typeof cursor !== 'string' || cursor.length > MAX_LENGTH) throw new TypeError('no cursor');
      const bytes = Buffer.from(cursor, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV), { authTagLength: TAG })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(IV, IV + TAG));
      return BSON.deserialize(Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]), { promoteValues: true });
    } catch {
      throw new BadRequest(`Invalid value for ${name}: expected a cursor that this service has given for the same $sort`, {
        parameter: name,
      });
    }
  }
}
