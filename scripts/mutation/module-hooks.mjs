// Module hooks of the runner of mutation tests, see `circus-runner.mjs`.
import { transform } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const globals = new URL('./globals.mjs', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  return specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context);
}

/** By file: tests are declared again and again. */
const transformed = new Map();

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  const [address] = url.split('?');
  if (!address.startsWith('file:') || !address.endsWith('.ts')) return next(url, context);
  const source = transformed.get(address) ?? (await javaScriptOf(fileURLToPath(address)));
  transformed.set(address, source);
  return { format: 'module', source, shortCircuit: true };
}

async function javaScriptOf(file) {
  const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts', format: 'esm', target: 'node20', sourcefile: file });
  return code;
}
