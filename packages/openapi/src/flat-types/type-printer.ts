import type ts from 'typescript';
import type { Compiler } from './compiler.ts';
import type { FreeNames } from './free-names.ts';
import { literalText } from './literal-text.ts';
import { SymbolMarks } from './symbol-marks.ts';
import { TypeOrigins } from './type-origin.ts';

/** What the printer has written, or is writing. */
interface Writing {
  name?: string;
  /** There when it is whole. */
  text?: string;
  /** How deep in a type it stood. */
  readonly level: number;
}

/** Texts that are longer are written once: what comes again gets a name. */
const LONG = 120;
/** Types that go on without end are `unknown` from this level on. */
const MAX_LEVEL = 24;
/** Most objects of one application's types: without end, but not on one way down. */
const MAX_OBJECTS = 200_000;

/** The compiler's own flag of properties of mapped types. */
const CHECKED_AS_READONLY = 8;

/** Writes types out in full, without names of the application's. What contains itself, and what comes again and is long, gets a name of its own. */
export class TypePrinter {
  readonly #ts: Compiler;
  readonly #checker: ts.TypeChecker;
  readonly #place: ts.Node;
  readonly #freeNames: FreeNames;
  readonly #marks: SymbolMarks;
  readonly #origins: TypeOrigins;
  readonly #isExact: boolean;
  /** Types that were given a name. */
  readonly #names = new Map<ts.Type, string>();
  /** By what it was made of. */
  readonly #writings = new Map<unknown, Writing>();
  readonly #declared = new Map<string, string>();
  #level = 0;
  #count = 0;
  #objects = 0;

  /** @param place where types of properties are asked for */
  constructor(compiler: Compiler, program: ts.Program, place: ts.Node, names: FreeNames) {
    this.#ts = compiler;
    this.#checker = program.getTypeChecker();
    this.#place = place;
    this.#freeNames = names;
    this.#marks = new SymbolMarks(names);
    this.#origins = new TypeOrigins(compiler, this.#checker);
    this.#isExact = program.getCompilerOptions().exactOptionalPropertyTypes === true;
  }

  /** Declarations of all types that have got a name, in the order in which they were met. */
  get declarations(): string {
    const types = [...this.#declared].map(([name, text]) => `export type ${name} = ${text};\n`).join('\n');
    const marks = this.#marks.declarations;
    return marks === '' ? types : `${marks}\n${types}`;
  }

  /** Writes a type under the name, or one like it, which stands for it from then on. */
  declare(wish: string, type: ts.Type): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    if (!(type.flags & this.#ts.TypeFlags.Object)) {
      const text = this.print(type);
      if (!type.isUnion() || text.length <= LONG) return text;
      const name = this.#freeNames.take(wish);
      this.#names.set(type, name);
      this.#declared.set(name, text);
      return name;
    }
    const name = this.#freeNames.take(wish);
    this.#names.set(type, name);
    this.#declared.set(name, '');
    this.#write(type, { name, level: this.#level });
    return name;
  }

  print(type: ts.Type): string {
    const known = this.#names.get(type) ?? literalText(this.#ts, this.#checker, type);
    if (known !== undefined) return known;
    const { TypeFlags } = this.#ts;
    if (type.isUnion()) return this.#union(type.types);
    if (type.isIntersection() && type.types.some((part) => !(part.flags & TypeFlags.Object))) return this.#marked(type.types);
    if (type.isIntersection() || type.flags & TypeFlags.Object) return this.#nested(type);
    if (type.flags & TypeFlags.TemplateLiteral) return this.#template(type as ts.TemplateLiteralType);
    if (type.flags & TypeFlags.StringMapping)
      return `${(type as ts.StringMappingType).symbol.name}<${this.print((type as ts.StringMappingType).type)}>`;
    if (type.flags & TypeFlags.UniqueESSymbol) return `typeof ${this.#marks.nameOf((type as ts.UniqueESSymbolType).escapedName)}`;
    return 'unknown';
  }

  #union(types: readonly ts.Type[]): string {
    const parts = new Set(types.map((part) => this.print(part)));
    if (parts.has('unknown')) return 'unknown';
    if (parts.has('true') && parts.has('false')) {
      parts.delete('true');
      parts.delete('false');
      parts.add('boolean');
    }
    parts.delete('never');
    if (parts.size === 0) return 'never';
    // The compiler has them in the order in which it met them, which changes with what else a module says.
    const last = ['null', 'undefined'].filter((word) => parts.delete(word));
    return [...[...parts].sort(), ...last].join(' | ');
  }

  /** A primitive with a mark: no object, and none of the primitive's own properties. */
  #marked(types: readonly ts.Type[]): string {
    const isObject = (part: ts.Type): boolean => Boolean(part.flags & this.#ts.TypeFlags.Object);
    const marks = types.filter(isObject).map((part) => {
      const members = this.#checker.getPropertiesOfType(part).map((property) => this.#property(property));
      return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
    });
    return [...types.filter((part) => !isObject(part)).map((part) => this.print(part)), ...marks].join(' & ');
  }

  #template({ texts, types }: ts.TemplateLiteralType): string {
    const written = (text: string): string =>
      JSON.stringify(text)
        .slice(1, -1)
        .replaceAll('\\"', '"')
        .replaceAll(/`|\$\{/g, '\\$&');
    const parts = types.map((part, index) => `\${${this.print(part)}}${written(texts[index + 1] ?? '')}`);
    return `\`${written(texts[0] ?? '')}${parts.join('')}\``;
  }

  #nested(type: ts.Type): string {
    const origin = this.#origins.of(type);
    const met = this.#writings.get(origin);
    if (met !== undefined) {
      if (met.text === undefined || met.name !== undefined) {
        // It contains itself, and whoever is writing it gives it its name; or it has one.
        if (met.text === undefined || met.level <= this.#level) return (met.name ??= this.#newName());
      } else if (met.level <= this.#level) {
        // What was met less deep is known at least as well.
        if (met.text.length <= LONG) return met.text;
        met.name = this.#newName();
        this.#declared.set(met.name, met.text);
        return met.name;
      }
    }
    if (this.#level >= MAX_LEVEL) return 'unknown';
    const writing: Writing = { level: this.#level };
    const text = this.#write(type, writing, origin);
    return writing.name ?? text;
  }

  #newName(): string {
    return this.#freeNames.take(`Type${String(++this.#count)}`);
  }

  #write(type: ts.Type, writing: Writing, origin: unknown = this.#origins.of(type)): string {
    this.#objects++;
    if (this.#objects > MAX_OBJECTS)
      throw new Error('The types of the services have no end: a generic type contains itself with other types each time');
    this.#writings.set(origin, writing);
    this.#level++;
    const text = this.#object(type);
    this.#level--;
    writing.text = text;
    if (writing.name !== undefined) this.#declared.set(writing.name, text);
    return text;
  }

  #object(type: ts.Type): string {
    const checker = this.#checker;
    if (checker.isTupleType(type)) return this.#tuple(type as ts.TupleTypeReference);
    if (checker.isArrayType(type)) {
      const array = `${this.#bracketed(checker.getTypeArguments(type as ts.TypeReference)[0] ?? type)}[]`;
      return type.symbol.name === 'ReadonlyArray' ? `readonly ${array}` : array;
    }
    if (type.symbol?.name === 'Date' && type.getProperty('toISOString') !== undefined) return 'Date';
    if (type.getCallSignatures().length > 0) return 'never';
    const members = checker
      .getPropertiesOfType(type)
      .flatMap((property) => (SymbolMarks.is(property.escapedName) ? [] : [this.#property(property)]));
    const indexes = checker
      .getIndexInfosOfType(type)
      .filter(({ keyType }) => !(keyType.flags & this.#ts.TypeFlags.ESSymbolLike))
      .map((info) => `${info.isReadonly ? 'readonly ' : ''}[name: ${this.print(info.keyType)}]: ${this.print(info.type)}`);
    return members.length + indexes.length === 0 ? 'Record<never, never>' : `{ ${[...members, ...indexes].join('; ')} }`;
  }

  #tuple(type: ts.TupleTypeReference): string {
    const { ElementFlags } = this.#ts;
    const { elementFlags, readonly } = type.target;
    const parts = this.#checker.getTypeArguments(type).map((part, index) => {
      const flags = elementFlags[index] ?? ElementFlags.Required;
      if (flags & ElementFlags.Rest) return `...${this.#bracketed(part)}[]`;
      if (flags & ElementFlags.Variadic) return '...unknown[]';
      return flags & ElementFlags.Optional ? `(${this.#present(part)})?` : this.print(part);
    });
    return `${readonly ? 'readonly ' : ''}[${parts.join(', ')}]`;
  }

  #bracketed(type: ts.Type): string {
    const text = this.print(type);
    return /^\w+$/.test(text) ? text : `(${text})`;
  }

  #property(property: ts.Symbol): string {
    const { name, escapedName } = property;
    const isOptional = Boolean(property.flags & this.#ts.SymbolFlags.Optional);
    const whole = this.#checker.getTypeOfSymbolAtLocation(property, this.#place);
    const text = isOptional ? this.#present(whole) : this.print(whole);
    const word = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const key = SymbolMarks.is(escapedName) ? `[${this.#marks.nameOf(escapedName)}]` : word;
    return `${this.#isReadonly(property) ? 'readonly ' : ''}${key}${isOptional ? '?' : ''}: ${text}`;
  }

  /** The type of what is optional where it is there: `undefined` is told where the application tells it apart. */
  #present(type: ts.Type): string {
    if (!type.isUnion()) return type.flags & this.#ts.TypeFlags.Undefined && !this.#isExact ? 'undefined' : this.print(type);
    const isTold = (part: ts.Type): boolean =>
      !(part.flags & this.#ts.TypeFlags.Undefined) || (this.#isExact && part === this.#checker.getUndefinedType());
    return this.#union(type.types.filter(isTold));
  }

  #isReadonly(property: ts.Symbol): boolean {
    const { getCombinedModifierFlags, ModifierFlags } = this.#ts;
    const declaration = property.valueDeclaration;
    if (declaration !== undefined && getCombinedModifierFlags(declaration) & ModifierFlags.Readonly) return true;
    // Properties of mapped types have no declaration, and a flag of the compiler's own.
    const links: unknown = Reflect.get(property, 'links');
    const flags: unknown = typeof links === 'object' && links !== null && Reflect.get(links, 'checkFlags');
    return typeof flags === 'number' && Boolean(flags & CHECKED_AS_READONLY);
  }
}
