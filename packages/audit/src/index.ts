export { auditApplication } from './audit-application.ts';
export { findRegressions } from './find-regressions.ts';
export { formatAudit } from './format-audit.ts';
export type { Audit, AuditedApplication, MethodAudit, ServiceAudit } from './audit-application.ts';
