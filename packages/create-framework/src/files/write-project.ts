import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files } from '../project/project-files.ts';
import type { TargetFolder } from './target-folder.ts';

/**
 * Writes a project whole or not at all: into a folder of another name first, which then takes its place. `.env` is for its owner alone.
 *
 * @throws Error of the file system; nothing is left behind then
 */
export function writeProject({ path, exists }: TargetFolder, files: Files): void {
  const parent = exists ? path : dirname(path);
  const made = exists ? undefined : mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, '.create-framework-'));
  // A signal waits until this is done, or taken back: all of it runs in one turn, and the default would end it at once.
  const wait = (): void => undefined;
  process.on('SIGINT', wait).on('SIGTERM', wait);
  try {
    const project = join(draft, 'project');
    mkdirSync(project);
    for (const [file, text] of files) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), text, { mode: file === '.env' ? 0o600 : 0o666, flag: 'wx' });
    }
    if (exists) moveInto(project, path);
    else renameSync(project, path);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    process.off('SIGINT', wait).off('SIGTERM', wait);
  }
}

/** An existing folder stays the same folder: somebody may be in it. */
function moveInto(project: string, path: string): void {
  const moved: string[] = [];
  try {
    for (const name of readdirSync(project)) {
      renameSync(join(project, name), join(path, name));
      moved.push(name);
    }
    rmdirSync(project);
  } catch (error) {
    for (const name of moved) rmSync(join(path, name), { recursive: true, force: true });
    throw error;
  }
}
