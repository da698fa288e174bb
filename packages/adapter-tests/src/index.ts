export { adapterCases, adapterTests } from './adapter-tests.ts';
export { CAPABILITIES } from './types.ts';
export type { AdapterTestOptions, TestRunner } from './adapter-tests.ts';
export type { AdapterCase, Capability, CaseContext, CaseOptions, CaseRecord, CaseService } from './types.ts';
