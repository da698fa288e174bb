import { expect, it } from '@jest/globals';
import { decode } from '../../src/bson/decode.ts';

/** The code of what a document is refused with, given in hexadecimal digits. */
function refused(bytes: string): unknown {
  try {
    decode(Buffer.from(bytes, 'hex'));
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
}

it('a boolean is false or true', () => {
  expect(decode(Buffer.from('090000000862000100', 'hex'))).toEqual({ b: true });
  expect(decode(Buffer.from('090000000862000000', 'hex'))).toEqual({ b: false });
  expect(refused('090000000862000200')).toBe(22);
  expect(refused('09000000086200FF00')).toBe(22);
});

it.each<[string, string]>([
  ['zero', '00000000'],
  ['negative', 'FFFFFFFF'],
  ['too small', '1F000000'],
  ['too large', '21000000'],
  ['larger than the document', 'FF000000'],
])('code with a scope whose size is %s is no BSON', (_what, size) => {
  const rest = '0500000061626364001300000010780001000000107900010000000000';
  expect(refused(`280000000F610020000000${rest}`)).toBeUndefined();
  expect(refused(`280000000F6100${size}${rest}`)).toBe(22);
});
