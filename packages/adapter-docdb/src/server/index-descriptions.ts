import { checkOptionNames } from '@framework/core/adapter';
import type { IndexDescription } from 'mongodb';

/** What the driver sends of an index. It leaves out what it does not know: an index with `uniq` would be made, and keep no value from coming twice. */
const NAMES: ReadonlySet<string> = new Set<keyof IndexDescription>([
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'collation',
  'hidden',
  'background',
  'storageEngine',
  'version',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
  'wildcardProjection',
]);

/**
 * Looks at declared indexes: callers without types may give anything.
 *
 * @param of what takes them, as messages name it
 * @throws TypeError that says what is wrong
 */
export function checkIndexDescriptions(of: string, declared: readonly IndexDescription[]): void {
  if (!Array.isArray(declared) || declared.some((index: Partial<IndexDescription> | null) => index?.key === undefined))
    throw new TypeError(`${of} is a list, each of it as { key: { email: 1 }, unique: true }`);
  for (const [at, index] of declared.entries()) checkOptionNames(`${of}: index ${String(at + 1)}`, index, NAMES);
}
