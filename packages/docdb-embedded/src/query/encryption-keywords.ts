import { Binary } from 'bson';
import { type Doc, TYPE_CODES, typeName, type TypeName, type Value } from '../bson/values.ts';
import { anything, checkDocument, choice, type Fields, oneOf } from '../declarations/field.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { schemaOf, typeNamesOf } from './schema-operands.ts';

/** What `encrypt` and `encryptMetadata` say: how a driver encrypts, of which the server only checks that it says something. */
const METADATA: Fields = {
  algorithm: choice(['AEAD_AES_256_CBC_HMAC_SHA_512-Deterministic', 'AEAD_AES_256_CBC_HMAC_SHA_512-Random']),
  initializationVector: oneOf(['binData']),
  keyId: anything({ check: checkKeyId }),
};
const ENCRYPTION: Fields = { ...METADATA, bsonType: anything({ check: (value) => void typeNamesOf('bsonType', value) }) };

/** Where, in an encrypted value, what it is stands: the kind of its encryption, and its BSON type behind the id of the key. */
const [KIND, TYPE] = [0, 17];
/** Kinds of encryption that tell the type: deterministic, and random. */
const KINDS = [1, 2];

/** @throws DocDbError (9, 14, 40415, and those of single fields) for an `encrypt` that MongoDB does not take */
export function encryptionOf(keyword: string, operand: Value, schema: Doc): Doc {
  const beside = ['type', 'bsonType', 'encryptMetadata'].find((other) => other in schema);
  if (beside !== undefined) throw failedToParse(`$jsonSchema keyword '${keyword}' cannot be used in conjunction with '${beside}'`);
  const encryption = schemaOf(keyword, operand);
  checkDocument(encryption, ENCRYPTION, keyword);
  return encryption;
}

/** @throws DocDbError (9, 14, 40415, and those of single fields) for an `encryptMetadata` that MongoDB does not take */
export function checkEncryptionMetadata(operand: Value, keyword: string): undefined {
  const metadata = schemaOf(keyword, operand);
  if (Object.keys(metadata).length === 0) throw failedToParse(`$jsonSchema keyword '${keyword}' cannot be an empty object`);
  checkDocument(metadata, METADATA, keyword);
}

/** @returns whether a driver encrypted a value */
export function isEncrypted(value: Value): value is Binary {
  return value instanceof Binary && value.sub_type === Binary.SUBTYPE_ENCRYPTED;
}

/** @returns the type that a value had before it was encrypted, where that is told */
export function encryptedType({ buffer, position }: Binary): TypeName | undefined {
  return position > TYPE && KINDS.includes(buffer[KIND] as number) ? TYPE_CODES[String(buffer[TYPE])] : undefined;
}

/** A text that points to the key, or ids of keys. */
function checkKeyId(value: Value): void {
  if (typeof value === 'string') return;
  if (!Array.isArray(value))
    throw new DocDbError(51085, `a keyId has to be a text, or a list of UUIDs, but is of the type ${typeName(value)}`);
  for (const id of value as Value[]) {
    if (!(id instanceof Binary))
      throw new DocDbError(51088, `the elements of a keyId have to be UUIDs, but one is of the type ${typeName(id)}`);
    if (id.sub_type !== Binary.SUBTYPE_UUID)
      throw new DocDbError(51084, `the elements of a keyId have to be UUIDs, but one is of the subtype ${String(id.sub_type)}`);
  }
}
