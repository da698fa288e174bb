import type { Edit } from '../source/edit.ts';
import type { Remark } from '../remark.ts';
import { placeOf } from '../source/source.ts';
import { parseJson, propertyAt, stringAt, type JsonText } from './json-text.ts';

/** What becomes of a `tsconfig.json`. */
export interface CompilerPlan {
  readonly edits: readonly Edit[];
  readonly left: readonly Remark[];
}

const OLD_RESOLUTION = /^(?:node|node10|classic)$/i;

/**
 * Packages here say by `exports` where their types are, which the module resolution of old settings does not read.
 *
 * @param modules whether the package consists of ES modules (`"type": "module"`)
 * @throws SyntaxError for what can not be parsed
 */
export function planCompilerOptions(file: string, text: string, modules: boolean): CompilerPlan {
  const json = parseJson(text);
  const module = stringAt(json, 'compilerOptions', 'module');
  const resolution = stringAt(json, 'compilerOptions', 'moduleResolution');
  const edits: Edit[] = [];
  const left: Remark[] = [];
  if (module !== undefined && /^commonjs$/i.test(module)) {
    // Without "type": "module" these are CommonJS as before, with relative imports as before.
    if (modules) left.push(remark(file, json, `"module": "${module}" in a package of ES modules: set it to "nodenext"`));
    else edits.push(value(json, 'module', 'nodenext'));
    if (resolution !== undefined && !modules) edits.push(value(json, 'moduleResolution', 'nodenext'));
  } else if (resolution !== undefined && OLD_RESOLUTION.test(resolution)) {
    edits.push(value(json, 'moduleResolution', 'bundler'));
  } else if (module === undefined && propertyAt(json, 'compilerOptions') && stringAt(json, 'extends') === undefined) {
    left.push(remark(file, json, 'It names no "module": types are found with "nodenext" or "preserve"'));
  }
  return { edits, left };
}

/** Folders that it compiles into. */
export function outFolders(text: string): string[] {
  try {
    const folder = stringAt(parseJson(text), 'compilerOptions', 'outDir');
    return folder === undefined ? [] : [folder.replace(/^\.\//, '').replace(/\/$/, '')];
  } catch {
    return [];
  }
}

function value(json: JsonText, name: string, text: string): Edit {
  const property = propertyAt(json, 'compilerOptions', name);
  if (!property) throw new Error(`There is no "${name}"`);
  const { start, end } = placeOf(property.value);
  return { start: start + 1, end: end - 1, text };
}

function remark(file: string, json: JsonText, reason: string): Remark {
  const options = propertyAt(json, 'compilerOptions');
  return { file, line: options ? placeOf(options).line : 1, reason, section: 'By a command' };
}
