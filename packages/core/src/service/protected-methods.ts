import { EventEmitter } from 'node:events';

/** Names that can not be custom methods: a client must never reach them (reference 1.3, security S35). */
export const protectedMethods: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.keys(EventEmitter.prototype),
  'all',
  'around',
  'before',
  'after',
  'error',
  'hooks',
  'setup',
  'teardown',
  'publish',
]);
