import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { ConfigurationError, loadConfiguration, type ConfigurationOptions } from '../src/index.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder with files: objects are written as JSON, texts as they are. */
export function folderWith(files: Readonly<Record<string, object | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Loads from files, with these environment variables and no others. */
export function load(
  files: Readonly<Record<string, object | string>>,
  env: Record<string, string> = {},
  options: ConfigurationOptions = {},
): Record<string, any> {
  return loadConfiguration({ directory: folderWith(files), env, ...options });
}

/** @returns the error of an action that must fail with a ConfigurationError */
export function failureOf(action: () => unknown): ConfigurationError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** @returns a text with the names of the temporary folders left out */
export function withoutFolders(text: string): string {
  return made.reduce((rest, folder) => rest.replaceAll(`${folder}/`, '').replaceAll(folder, '<folder>'), text);
}
