// What adapters need of the core. It has nothing of Node.js in it, so that services with records work in browsers too.
export { checkOptionNames } from './check-option-names.ts';
export { checkOptionValues, type OptionKind } from './check-option-values.ts';
export { ADAPTER_OPTIONS, CALL_OPTIONS } from './adapter/adapter-options.ts';
export { AdapterService } from './adapter/adapter-service.ts';
export { givenOptions } from './given-options.ts';
export { holdsNothing } from './adapter/holds-nothing.ts';
export { recordExists } from './adapter/record-exists.ts';
export { recordNotFound } from './adapter/record-not-found.ts';
export { checkMany, withoutLimit } from './adapter/several-records.ts';
export { keptPaths } from './records/kept-paths.ts';
export { checkPrecondition, recordChanged } from './service/precondition.ts';
export type { AdapterOptions, AdapterParams } from './adapter/adapter-options.ts';
