export { MigrationError, planMigration } from './plan-migration.ts';
export { writeChanges } from './files/write-changes.ts';
export { formatPlan } from './report.ts';
export type { FileChange } from './files/file-change.ts';
export type { MigrationPlan } from './plan-migration.ts';
export type { GuideSection, Remark } from './remark.ts';
