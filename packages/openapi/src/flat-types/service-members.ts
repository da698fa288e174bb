import type ts from 'typescript';
import type { Compiler } from './compiler.ts';
import type { TypePrinter } from './type-printer.ts';

/** What {@link serviceMembers} asks. */
interface ServiceTypes {
  /** One of the client's `ServiceFacts`. */
  readonly fact: (name: string) => ts.Type;
  readonly propertyOf: (type: ts.Type, name: string) => ts.Type | undefined;
  readonly printer: TypePrinter;
}

/**
 * The members of one service: its methods, and which they are.
 *
 * @param word what the names of its types begin with
 */
export function serviceMembers(compiler: Compiler, word: string, { fact, propertyOf, printer }: ServiceTypes): string {
  const methods = partsOf(fact('methods')).flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  // The standard ones in their order, and those of the application by name: the compiler's order changes with what else a module says.
  methods.sort((one, other) => orderOf(one) - orderOf(other) || (one < other ? -1 : 1));
  const is = (name: string): boolean => printer.print(fact(name)) === 'true';
  printer.declare(word, fact('record'));
  const given = (name: string): string => {
    const type = propertyOf(fact('given'), name);
    return `Promise<${type === undefined ? 'unknown' : printer.print(type)}>`;
  };
  const data = methods.includes('create') ? printer.declare(`${word}Data`, fact('data')) : 'never';
  const update = methods.includes('update') ? printer.declare(data === 'never' ? `${word}Data` : `${word}Update`, fact('update')) : 'never';
  const patch = methods.includes('patch') ? printer.declare(`${word}Patch`, fact('patch')) : 'never';
  const params = (name: string): string => {
    const type = propertyOf(fact('queries'), name);
    return `params?: { query?: ${type === undefined ? 'unknown' : printer.declare(`${word}Query`, type)} }`;
  };
  const id = 'id: string | number';
  const idOr = (all: boolean): string => (all ? `${id} | null` : id);
  const standard: Readonly<Record<string, () => string>> = {
    find: () => `(${params('find')}): Promise<${printer.print(fact('found'))}>`,
    get: () => `(${id}, ${params('get')}): ${given('get')}`,
    create: () =>
      `(data: ${data}${is('lists') ? ` | readonly ${/^\w+$/.test(data) ? data : `(${data})`}[]` : ''}, ${params('create')}): ${given('create')}`,
    update: () => `(${id}, data: ${update}, ${params('update')}): ${given('update')}`,
    patch: () => `(${idOr(is('patchesAll'))}, data: ${patch}, ${params('patch')}): ${given('patch')}`,
    remove: () => `(${idOr(is('removesAll'))}, ${params('remove')}): ${given('remove')}`,
  };
  const lines = methods.map((name) => {
    const known = Object.hasOwn(standard, name) ? standard[name] : undefined;
    if (known) return `    ${name}${known()};\n`;
    const given = propertyOf(fact('customData'), name);
    const result = propertyOf(fact('customResults'), name);
    const parts = given === undefined ? [] : partsOf(given);
    const isUndefined = (part: ts.Type): boolean => Boolean(part.flags & compiler.TypeFlags.Undefined);
    const text = given === undefined ? 'unknown' : printer.print(given);
    const parameter = parts.length > 0 && parts.every(isUndefined) ? '' : `data${parts.some(isUndefined) ? '?' : ''}: ${text}`;
    return `    ${JSON.stringify(name)}(${parameter}): Promise<${result === undefined ? 'unknown' : printer.print(result)}>;\n`;
  });
  const names = methods.map((name) => JSON.stringify(name)).join(', ');
  return `${lines.join('')}    readonly '~registration'?: { readonly methods: readonly [${names}] };\n`;
}

const STANDARD = ['find', 'get', 'create', 'update', 'patch', 'remove'];

function orderOf(method: string): number {
  const index = STANDARD.indexOf(method);
  return index === -1 ? STANDARD.length : index;
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}
