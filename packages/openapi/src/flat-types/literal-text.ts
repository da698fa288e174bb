import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/**
 * A type that has no parts, as text: without names of the application's, such as those of its enums.
 *
 * @returns `undefined` for types that are made of others
 */
export function literalText(compiler: Compiler, checker: ts.TypeChecker, type: ts.Type): string | undefined {
  const { TypeFlags: Flags, TypeFormatFlags } = compiler;
  const words = Flags.String | Flags.Number | Flags.BigInt | Flags.BooleanLike | Flags.ESSymbol | Flags.Null | Flags.Undefined;
  if (type.isStringLiteral()) return JSON.stringify(type.value);
  // Infinity and NaN, which an enum may have, are no literals.
  if (type.isNumberLiteral()) return Number.isFinite(type.value) ? String(type.value) : 'number';
  if (type.isUnion()) return undefined;
  // One of an enum whose values are computed.
  if (type.flags & Flags.Enum) return 'number';
  const isWord = type.flags & (words | Flags.BigIntLiteral | Flags.Never | Flags.Void | Flags.NonPrimitive);
  return isWord ? checker.typeToString(type, undefined, TypeFormatFlags.NoTruncation) : undefined;
}
