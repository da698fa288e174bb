import { parseExpression } from '@babel/parser';
import type { ObjectExpression, ObjectProperty } from '@babel/types';
import type { Edit } from '../source/edit.ts';
import { placeOf } from '../source/source.ts';

/** JSON, with comments or without, whose text is kept. */
export interface JsonText {
  readonly text: string;
  readonly root: ObjectExpression;
}

/**
 * Parses an object; comments and commas at the end are fine.
 *
 * @throws SyntaxError when it is none
 */
export function parseJson(text: string): JsonText {
  const root = parseExpression(text.replace(/^\uFEFF/, ' '), { createParenthesizedExpressions: true });
  if (root.type !== 'ObjectExpression') throw new SyntaxError('It is no object');
  return { text, root };
}

/** The property at a path, if it is there. */
export function propertyAt({ root }: JsonText, ...path: readonly string[]): ObjectProperty | undefined {
  let found: ObjectProperty | undefined;
  let object: ObjectExpression | undefined = root;
  for (const name of path) {
    found = object?.properties
      .filter((each) => each.type === 'ObjectProperty')
      .find(({ key }) => key.type === 'StringLiteral' && key.value === name);
    object = found?.value.type === 'ObjectExpression' ? found.value : undefined;
  }
  return found;
}

/** The text at a path, if one is there. */
export function stringAt(json: JsonText, ...path: readonly string[]): string | undefined {
  const value = propertyAt(json, ...path)?.value;
  return value?.type === 'StringLiteral' ? value.value : undefined;
}

/** The texts of an object by their names. */
export function stringsAt(json: JsonText, ...path: readonly string[]): Record<string, string> {
  const value = propertyAt(json, ...path)?.value;
  if (value?.type !== 'ObjectExpression') return {};
  const strings: Record<string, string> = {};
  for (const each of value.properties) {
    if (each.type === 'ObjectProperty' && each.key.type === 'StringLiteral' && each.value.type === 'StringLiteral')
      strings[each.key.value] = each.value.value;
  }
  return strings;
}

/** Puts another object of texts in the place of one; all else keeps its form. */
export function replaceStrings(json: JsonText, path: string, values: Readonly<Record<string, string>>): Edit {
  const indent = /\n([ \t]+)"/.exec(json.text)?.[1] ?? '  ';
  const eol = json.text.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(values).map(([name, value]) => `${indent}${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const object = lines.length === 0 ? '{}' : `{${eol}${lines.join(`,${eol}`)}${eol}${indent}}`;
  const there = propertyAt(json, path);
  if (there) return { ...placeOf(there.value), text: object };
  const last = json.root.properties.at(-1);
  if (!last) return { ...placeOf(json.root), text: `{${eol}${indent}${JSON.stringify(path)}: ${object}${eol}}` };
  const { end } = placeOf(last);
  return { start: end, end, text: `,${eol}${indent}${JSON.stringify(path)}: ${object}` };
}
