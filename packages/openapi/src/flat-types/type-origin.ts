import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** The types of the client that follow what they are made of to a depth: `client/src/types/wire.ts`. */
const FOLLOWING = new Set(['WireParts', 'Sendable']);

/** What types were made of, whatever the depth up to which they are followed. */
export class TypeOrigins {
  readonly #ts: Compiler;
  readonly #checker: ts.TypeChecker;
  readonly #known = new Map<ts.Node, Map<unknown, object>>();

  constructor(compiler: Compiler, checker: ts.TypeChecker) {
    this.#ts = compiler;
    this.#checker = checker;
  }

  /** @returns the same value for the same type of the application, else the type itself */
  of(type: ts.Type): unknown {
    // The compiler finds out when it is asked for the properties.
    this.#checker.getPropertiesOfType(type);
    const source: unknown = Reflect.get(type, 'modifiersType');
    const form = type.symbol?.declarations?.[0];
    if (source === undefined || form === undefined || !this.#follows(form)) return type;
    const known = this.#known.get(form) ?? new Map<unknown, object>();
    this.#known.set(form, known);
    const origin = known.get(source) ?? {};
    known.set(source, origin);
    return origin;
  }

  /** Other mapped types have arguments that make two of one source different. */
  #follows(form: ts.Node): boolean {
    if (!/[\\/]wire\.(?:d\.)?ts$/.test(form.getSourceFile().fileName)) return false;
    const alias = this.#ts.findAncestor(form, (node) => this.#ts.isTypeAliasDeclaration(node));
    return alias !== undefined && this.#ts.isTypeAliasDeclaration(alias) && FOLLOWING.has(alias.name.text);
  }
}
