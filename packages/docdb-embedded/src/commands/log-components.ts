import { toNumber } from '../bson/arithmetic.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue } from '../errors.ts';

/** The parts of a server that have levels of their own in its log, with the parts of each. */
interface Components {
  readonly [name: string]: Components;
}

const COMPONENTS: Components = {
  accessControl: {},
  assert: {},
  command: {},
  control: {},
  executor: {},
  ftdc: {},
  geo: {},
  index: {},
  network: { asio: {}, bridge: {}, connectionPool: {} },
  processHealth: {},
  query: { rejected: {} },
  replication: { election: {}, heartbeats: {}, initialSync: {}, rollback: {} },
  sharding: { rangeDeleter: {}, shardingCatalogRefresh: {} },
  storage: { journal: {}, recovery: {}, wt: {} },
  tenantMigration: {},
  test: {},
  transaction: {},
  write: {},
};

/** A part without a level of its own has that of the part around it. */
const INHERITED = -1;
const MOST_LEVEL = 5;

/** The levels as they are at the start, as `logComponentVerbosity` tells them. */
export const INITIAL_LEVELS: Doc = { verbosity: 0, ...inherited(COMPONENTS) };

function inherited(components: Components): Doc {
  return Object.fromEntries(Object.entries(components).map(([name, parts]) => [name, { verbosity: INHERITED, ...inherited(parts) }]));
}

/**
 * @returns levels with some of them changed; -1 takes a level of its own away
 * @throws DocDbError (2) for a part that there is not, or what is no level
 */
export function changedLevels(levels: Doc, given: Value): Doc {
  if (!isDocument(given)) throw badValue("'logComponentVerbosity' has to be a document");
  return merged(levels, given, 'default');
}

function merged(levels: Doc, given: Doc, path: string): Doc {
  const changed = { ...levels };
  for (const name of Object.keys(given)) {
    const value = given[name];
    const part = name === 'verbosity' || !Object.hasOwn(levels, name) ? undefined : levels[name];
    if (name === 'verbosity') changed.verbosity = levelOf(value, path);
    else if (!isDocument(part)) throw badValue(`Invalid component name ${path === 'default' ? name : `${path}.${name}`}`);
    else changed[name] = isDocument(value) ? merged(part, value, name) : { ...part, verbosity: levelOf(value, name) };
  }
  return changed;
}

function levelOf(value: Value, path: string): number {
  const level = isNumber(value) ? wholeOption(value) : Number.NaN;
  if (!(level >= INHERITED && level <= MOST_LEVEL)) throw badValue(`The level of the component ${path} has to be from -1 to 5`);
  if (level === INHERITED && path === 'default') return 0;
  return level;
}

/** @returns the level of commands, which is that of everything where they have none of their own */
export function commandLevel({ verbosity, command }: Doc): number {
  const own = isDocument(command) ? toNumber(command.verbosity) : INHERITED;
  return own === INHERITED ? toNumber(verbosity) : own;
}
