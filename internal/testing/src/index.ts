// What needs a database, a browser, a network or generators of its own is beside this, each under its name: every test file loads what it imports anew.
export { MemoryService } from './memory-service.ts';
export { noteLeftOut, sharedData } from './shared-data.ts';
export type { MemoryServiceOptions } from './memory-service.ts';
export { Random, Variety } from '@framework-internal/random';
