export { MemoryService } from './memory-service.ts';
export { startDatabase } from './docdb-server.ts';
export { noteLeftOut, sharedData } from './shared-data.ts';
export type { TestDatabase } from './docdb-server.ts';
export type { MemoryServiceOptions } from './memory-service.ts';
export { default as request } from 'supertest';
export { Random, Variety } from '@framework-internal/random';
export { SECRET, ShapeGenerator } from './shapes.ts';
export type { GeneratedShape, MarkedPlace, Secrecy } from './shapes.ts';
