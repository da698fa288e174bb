// The page of one public name.
import ts from 'typescript';
import { descriptionOfSignature, descriptionOfSymbol } from './doc-comment.mjs';
import { kindOf } from './public-names.mjs';

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/**
 * @param {import('./public-names.mjs').PublicName} named
 * @param {ts.TypeChecker} checker
 * @param {ReadonlyMap<ts.Symbol, string>} pages page of each public symbol
 * @returns {string} in Markdown
 */
export function namePage(named, checker, pages) {
  const { symbol, specifier, from } = named;
  const described = descriptionOfSymbol(symbol, checker);
  const kind = kindOf(named);
  const typeOnly = kind === 'Interface' || kind === 'Type' ? 'type ' : '';
  const head = [
    `# ${named.name}`,
    `${kind} of [${specifier}](./index.md)`,
    fence(named.name === 'default' ? `import name from '${specifier}';` : `import { ${typeOnly}${named.name} } from '${specifier}';`),
    described.deprecated === undefined ? '' : `**Deprecated.** ${described.deprecated}`,
  ];
  if (from !== undefined) {
    return join([...head, described.summary, `It is that of [${from}](https://www.npmjs.com/package/${from}), where it is described.`]);
  }
  return join([
    ...head,
    described.summary,
    fence(named.declarations.filter(saysSomething).map(print).join('\n')),
    ...tagsOf(described),
    ...membersOf(symbol, checker),
    ...inheritedMembers(symbol, checker, pages),
    ...usedBy(named, checker, pages),
  ]);
}

/** Methods and properties, each with its line. */
function membersOf(symbol, checker) {
  const groups = [
    ['Static members', [...(symbol.flags & ts.SymbolFlags.Class ? (symbol.exports?.values() ?? []) : [])]],
    ['Members', [...(symbol.members?.values() ?? []), ...typeMembers(symbol)]],
  ];
  return groups.flatMap(([title, members]) => {
    const shown = members.filter(isShown);
    return shown.length === 0 ? [] : [`## ${title}`, ...shown.flatMap((member) => memberOf(member, checker))];
  });
}

/** What a class has from others that are public, and does not write anew. */
function inheritedMembers(symbol, checker, pages, known = new Set(symbol.members?.keys() ?? [])) {
  if (!(symbol.flags & ts.SymbolFlags.Class)) return [];
  return (checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol)) ?? []).flatMap(({ symbol: base }) => {
    const page = base && pages.get(base);
    if (page === undefined) return [];
    const shown = [...(base.members?.entries() ?? [])].filter(
      ([name, member]) => !known.has(name) && isShown(member) && !member.declarations?.some(ts.isConstructorDeclaration),
    );
    const all = new Set([...known, ...shown.map(([name]) => name)]);
    const members = shown.flatMap(([, member]) => memberOf(member, checker));
    return [
      ...(members.length === 0 ? [] : [`## From [${base.name}](../../${page})`, ...members]),
      ...inheritedMembers(base, checker, pages, all),
    ];
  });
}

/** Those of `type X = { … }`. */
function typeMembers(symbol) {
  return (symbol.declarations ?? [])
    .filter((declaration) => ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type))
    .flatMap((declaration) => [...(declaration.type.symbol?.members?.values() ?? [])]);
}

/** No private ones, no type parameters, no signatures without a name but constructors. */
function isShown(member) {
  const [declaration] = member.declarations ?? [];
  if (!declaration || ts.isTypeParameterDeclaration(declaration) || /^(__)?#/.test(member.name) || member.name === 'prototype')
    return false;
  if (member.name.startsWith('__') && !ts.isConstructorDeclaration(declaration)) return false;
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0;
}

function memberOf(member, checker) {
  const declarations = member.declarations ?? [];
  const isConstructor = declarations.some(ts.isConstructorDeclaration);
  const described = isConstructor ? describedConstructor(declarations, checker) : descriptionOfSymbol(member, checker);
  const name = isConstructor ? 'constructor' : member.name.startsWith('__@') ? `[${member.name.slice(3).split('@')[0]}]` : member.name;
  return [`### ${name}`, described?.summary ?? '', fence(declarations.map(print).join('\n')), ...(described ? tagsOf(described) : [])];
}

function describedConstructor(declarations, checker) {
  const signature = declarations.filter(ts.isConstructorDeclaration).map((one) => checker.getSignatureFromDeclaration(one))[0];
  return signature && descriptionOfSignature(signature, checker);
}

/** @param {import('./doc-comment.mjs').Description} described */
function tagsOf({ parameters, returns, throws, examples, see }) {
  const named = parameters.filter(({ text }) => text !== '').map(({ name, text }) => `- \`${name}\`: ${line(text)}`);
  return [
    named.length === 0 ? '' : `**Parameters**\n\n${named.join('\n')}`,
    returns === '' ? '' : `**Returns** ${line(returns)}`,
    throws.length === 0 ? '' : `**Throws**\n\n${throws.map((text) => `- ${line(text)}`).join('\n')}`,
    ...examples.map((text) => (text.includes('```') ? text : fence(text))),
    see.length === 0 ? '' : `**See** ${see.map(line).join(', ')}`,
  ];
}

/** Other public names that the declaration mentions. */
function usedBy({ symbol, declarations, page }, checker, pages) {
  const found = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const local = checker.getSymbolAtLocation(node);
      const meant = local && local.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(local) : local;
      const target = meant && meant !== symbol ? pages.get(meant) : undefined;
      if (target !== undefined && target !== page) found.set(target, meant.name);
    }
    ts.forEachChild(node, visit);
  };
  declarations.forEach(visit);
  if (found.size === 0) return [];
  const links = [...found].map(([target, name]) => `[${name}](../../${target})`);
  return ['## Named here', links.sort().join(', ')];
}

/** Not the empty interface beside a class, which is there for other packages to add to. */
const saysSomething = (one, _index, all) => all.length === 1 || !ts.isInterfaceDeclaration(one) || one.members.length > 0;

/** Without comments, and without what only a file of declarations needs. */
function print(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile());
  return text
    .replace(/^(export )?(default )?declare /, '$1$2')
    .split('\n')
    .filter((part) => !/^\s*(#private;|private .*;)$/.test(part))
    .join('\n');
}

const fence = (code) => `\`\`\`ts\n${code.trim()}\n\`\`\``;
const line = (text) => text.replace(/\s*\n\s*/g, ' ');
const join = (parts) => `${parts.filter((part) => part !== '').join('\n\n')}\n`;
