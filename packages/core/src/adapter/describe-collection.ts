import type { CollectionDescription } from '../description/described.ts';
import type { AdapterOptions } from './adapter-options.ts';

/** @returns what a service with these options does, for tools that describe applications */
export function describeCollection(options: AdapterOptions): CollectionDescription {
  const { id, paginate, multi, cursors, operators = [], filters = [], maxSkip, returning = 'records', version } = options;
  return { id, paginate, multi, cursors: Boolean(cursors), operators, filters, maxSkip, returning, version };
}
