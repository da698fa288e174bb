import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** Writes types out in full, without names of the application's. What contains itself gets a name of its own. */
export class TypePrinter {
  readonly #ts: Compiler;
  readonly #checker: ts.TypeChecker;
  readonly #place: ts.Node;
  /** Names of types, given or made. */
  readonly #names = new Map<ts.Type, string>();
  /** What is being written, by what it was made of. */
  readonly #open = new Map<unknown, { name?: string }>();
  readonly #origins = new Map<ts.Node, Map<unknown, object>>();
  readonly #declared = new Map<string, string>();
  #count = 0;

  /** @param place where types of properties are asked for */
  constructor(compiler: Compiler, checker: ts.TypeChecker, place: ts.Node) {
    this.#ts = compiler;
    this.#checker = checker;
    this.#place = place;
  }

  /** Declarations of all types that have got a name, in the order in which they were met. */
  get declarations(): string {
    return [...this.#declared].map(([name, text]) => `export type ${name} = ${text};\n`).join('\n');
  }

  /** Writes a type under a name, which stands for it from then on. */
  declare(name: string, type: ts.Type): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    if (!(type.flags & this.#ts.TypeFlags.Object)) return this.print(type);
    this.#names.set(type, name);
    this.#declared.set(name, '');
    const origin = this.#originOf(type as ts.ObjectType);
    this.#open.set(origin, { name });
    this.#declared.set(name, this.#object(type as ts.ObjectType));
    this.#open.delete(origin);
    return name;
  }

  print(type: ts.Type): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const { TypeFlags } = this.#ts;
    if (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter | TypeFlags.Conditional | TypeFlags.IndexedAccess))
      return 'unknown';
    if (type.isUnion()) return this.#union(type.types);
    if (type.isIntersection() || type.flags & TypeFlags.Object) return this.#nested(type as ts.ObjectType);
    if (type.flags & (TypeFlags.BigIntLike | TypeFlags.ESSymbolLike)) return 'never';
    return this.#checker.typeToString(type, undefined, this.#ts.TypeFormatFlags.NoTruncation);
  }

  #union(types: readonly ts.Type[]): string {
    const parts = new Set(types.map((part) => this.print(part)));
    if (parts.delete('true') && parts.delete('false')) parts.add('boolean');
    return [...parts].map((part) => (part.includes('=>') ? `(${part})` : part)).join(' | ');
  }

  #nested(type: ts.ObjectType): string {
    const origin = this.#originOf(type);
    const opened = this.#open.get(origin);
    if (opened !== undefined) {
      // It contains itself: whoever is writing it gives it its name.
      opened.name ??= `Type${String(++this.#count)}`;
      return opened.name;
    }
    const writing: { name?: string } = {};
    this.#open.set(origin, writing);
    const text = this.#object(type);
    this.#open.delete(origin);
    if (writing.name === undefined) return text;
    this.#declared.set(writing.name, text);
    return writing.name;
  }

  /** What a type was made of, whatever the depth up to which it is followed: a mapped type is the same for the same source. */
  #originOf(type: ts.ObjectType): unknown {
    this.#checker.getPropertiesOfType(type);
    const source: unknown = Reflect.get(type, 'modifiersType');
    const form = type.symbol?.declarations?.[0];
    if (source === undefined || form === undefined) return type;
    const known = this.#origins.get(form) ?? new Map<unknown, object>();
    this.#origins.set(form, known);
    const origin = known.get(source) ?? {};
    known.set(source, origin);
    return origin;
  }

  #object(type: ts.ObjectType): string {
    const checker = this.#checker;
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type as ts.TypeReference)
        .map((part) => this.print(part))
        .join(', ')}]`;
    if (checker.isArrayType(type)) return `readonly (${this.print(checker.getTypeArguments(type as ts.TypeReference)[0] ?? type)})[]`;
    if (type.symbol?.name === 'Date' && type.getProperty('toISOString') !== undefined) return 'Date';
    if (type.getCallSignatures().length > 0) return 'never';
    const members = checker.getPropertiesOfType(type).flatMap((property) => this.#property(property));
    const indexes = checker.getIndexInfosOfType(type).map((info) => `[name: ${this.print(info.keyType)}]: ${this.print(info.type)}`);
    return members.length + indexes.length === 0 ? 'Record<never, never>' : `{ ${[...members, ...indexes].join('; ')} }`;
  }

  #property(property: ts.Symbol): string[] {
    const { name } = property;
    // Names that the compiler has made up are those of symbols.
    if (name.startsWith('__@')) return [];
    const isOptional = Boolean(property.flags & this.#ts.SymbolFlags.Optional);
    const whole = this.#checker.getTypeOfSymbolAtLocation(property, this.#place);
    const text =
      isOptional && whole.isUnion()
        ? this.#union(whole.types.filter((part) => !(part.flags & this.#ts.TypeFlags.Undefined)))
        : this.print(whole);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return [`${key}${isOptional ? '?' : ''}: ${text}`];
  }
}
