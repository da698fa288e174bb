import { toNumber } from '../bson/arithmetic.ts';
import { checkLocale } from '../bson/collation.ts';
import { Binary, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError, typeMismatch } from '../errors.ts';
import { type FieldDeclaration, object, amount, anything, array, bool, choice, number, oneOf, text } from './field.ts';

/** A collation; its values are checked where a collator is made of it. */
export const collation: FieldDeclaration = object({
  fields: {
    // None in an empty document stands for no collation; else the collator asks for it.
    locale: text({ check: checkLocale }),
    strength: number({ range: 'from 1 to 5' }),
    caseLevel: bool(),
    caseFirst: choice(['upper', 'lower', 'off'], { nullable: false }),
    numericOrdering: bool(),
    alternate: choice(['non-ignorable', 'shifted']),
    maxVariable: choice(['punct', 'space']),
    backwards: bool({ nullable: false }),
    normalization: bool({ effect: 'without effect' }),
    version: text(),
  },
});

/** An index to use, by name or key. */
export const hint: FieldDeclaration = oneOf(['string', 'object'], { wrongType: 9, nullable: false, check: checkHint });

/** @throws BadValue (2) for a hint that can name no index */
function checkHint(value: Value): void {
  if (value === '$natural') throw badValue('the hint $natural has to be an object');
  if (!isDocument(value) || !('$natural' in value)) return;
  const { $natural: natural, ...others } = value;
  if (Object.keys(others).length > 0) throw badValue('the hint $natural stands alone');
  if (!isNumber(natural) || Math.abs(toNumber(natural)) !== 1) throw badValue('$natural sort has to be 1 or -1');
}

/** The id of a session. */
export const uuid: FieldDeclaration = oneOf(['binData'], { required: true, check: checkUuid });

/** @throws DocDbError (14, 207) for what is no UUID */
function checkUuid(value: Value): void {
  if (!(value instanceof Binary)) return;
  if (value.sub_type !== Binary.SUBTYPE_UUID) throw typeMismatch('the id of a session has to be a UUID');
  if (value.position !== 16) throw new DocDbError(207, 'a UUID has 16 bytes');
}

/** The digest of a user that a session is of. */
export const userDigest: FieldDeclaration = oneOf(['binData'], { check: checkDigest });

/** @throws DocDbError (12) for what is no digest: it is kept with the session, whatever it is */
function checkDigest(value: Value): void {
  if (value instanceof Binary && (value.sub_type !== Binary.SUBTYPE_DEFAULT || value.length() !== 32))
    throw new DocDbError(12, 'the uid of a session is a SHA-256 digest: general binData of 32 bytes');
}

/** Variables for expressions. */
export const variables: FieldDeclaration = object();

/** How the documents of a first batch are asked for. */
export const cursor: FieldDeclaration = object({ fields: { batchSize: amount(0) } });

/** The name of a collection's identity. */
export const collectionUuid: FieldDeclaration = oneOf(['binData'], { effect: 'refused' });

/** Filters that choose array elements. */
export const arrayFilters: FieldDeclaration = array({ elements: object({ nullable: false }) });

/** An update: operators, a replacement, or a pipeline. */
export const modification: FieldDeclaration = oneOf(['object', 'array'], { wrongType: 9, nullable: false });

/** What is written into a log that this server does not keep. */
export const noted: FieldDeclaration = anything({ effect: 'without effect' });
