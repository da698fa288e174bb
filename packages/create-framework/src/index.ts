export { addService } from './add-service.ts';
export { CommandError } from './command-error.ts';
export { planProject, type PlannedProject } from './create-project.ts';
export { projectFiles, type Files } from './project/project-files.ts';
export type { DatabaseChoice, LoginChoice, PackageManager, ProjectOptions, RealTimeChoice } from './project-options.ts';
