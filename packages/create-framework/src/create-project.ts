import { randomBytes } from 'node:crypto';
import { targetFolder } from './files/target-folder.ts';
import { writeProject } from './files/write-project.ts';
import type { ProjectOptions } from './project-options.ts';
import { projectFiles, type Files } from './project/project-files.ts';

/** A project that was planned. */
export interface PlannedProject {
  /** Absolute path of its folder. */
  readonly path: string;
  readonly files: Files;
  /** Writes it, whole or not at all. */
  write(): void;
}

/**
 * Plans a project: looks whether it can be written, and writes nothing yet.
 *
 * @throws CommandError when its folder is a file, or not empty
 */
export function planProject(options: ProjectOptions): PlannedProject {
  const target = targetFolder(options.folder);
  const files = projectFiles(options, randomBytes(48).toString('base64'));
  return {
    path: target.path,
    files,
    write: () => {
      // It may have been filled meanwhile.
      writeProject(targetFolder(options.folder), files);
    },
  };
}
