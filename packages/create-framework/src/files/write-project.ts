import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files } from '../project/project-files.ts';
import { makeFolder } from './make-folder.ts';
import type { TargetFolder } from './target-folder.ts';

/**
 * Writes a project whole or not at all: into a folder of another name first, which then takes its place. `.env` is for its owner alone.
 *
 * @throws Error of the file system; nothing is left behind then
 */
export function writeProject({ path, exists }: TargetFolder, files: Files): void {
  const release = holdSignals();
  const parent = exists ? path : dirname(path);
  let made: string | undefined;
  let draft: string | undefined;
  try {
    if (!exists) made = makeFolder(parent);
    draft = mkdtempSync(join(parent, '.create-framework-'));
    const project = join(draft, 'project');
    mkdirSync(project);
    for (const [file, text] of files) {
      makeFolder(dirname(join(project, file)));
      writeFileSync(join(project, file), text, { mode: file === '.env' ? 0o600 : 0o666, flag: 'wx' });
    }
    if (exists) moveInto(project, path);
    else renameSync(project, path);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    release();
  }
}

/**
 * Lets signals wait: all is written in one turn, and the default would end it in the middle. They end the process in the next turn.
 *
 * @returns what gives them their default again, behind those that have come
 */
function holdSignals(): () => void {
  const end = (signal: NodeJS.Signals): void => process.exit(signal === 'SIGINT' ? 130 : 143);
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => {
    setImmediate(() => process.off('SIGINT', end).off('SIGTERM', end));
  };
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
