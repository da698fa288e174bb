import type { Collection, Db, IndexDescription, MongoClient } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import { describeServer, sentenceOf, type ServerDescription } from './describe-server.ts';
import { FEATURE_TITLES, type Feature } from './features.ts';
import { compareIndexes, indexSentences, indexesOf, type IndexReport, isUniqueBy } from './indexes.ts';

/** What is asked of a service when it starts. */
export interface StartingService {
  readonly options: ResolvedOptions;
  getModel(): Promise<Collection>;
}

/** Options by which a service needs something that not every server has. */
const NEEDED_BY: readonly { readonly feature: Feature; readonly name: string; isSet(options: ResolvedOptions): boolean }[] = [
  { feature: 'updatePipelines', name: 'hidden', isSet: ({ hidden }) => hidden !== undefined && hidden.length > 0 },
  { feature: 'text', name: 'operators', isSet: ({ operators }) => operators?.includes('$text') === true },
  { feature: 'text', name: 'filters', isSet: ({ filters }) => filters?.some((name) => name === '$text' || name === '$search') === true },
];

/** One description for each client: an application has many services on one server. */
const KNOWN = new WeakMap<MongoClient, Promise<ServerDescription>>();

/**
 * Looks whether the server can do what a service needs, and compares its indexes. A service that asks for nothing of this does not wait for its database:
 * what the server is missing is told, and nothing more.
 *
 * @param path of the service
 * @throws Error with what the server can not do and what asks for it, and what the driver throws
 */
export async function startService(service: StartingService, path: string): Promise<void> {
  const { options } = service;
  const needed = neededFeatures(options);
  const { indexes, Model } = options;
  if (needed.length === 0 && indexes === undefined) {
    // A function may connect: that is left to the first call.
    if (typeof Model !== 'function') void tellServer(service);
    return;
  }
  const collection = await service.getModel();
  if (needed.length > 0) {
    const server = await describeOnce(collection.db);
    for (const { feature, name } of needed) {
      if (server.features[feature] === 'no') {
        throw new Error(
          `The service '${path}' can not start: its option '${name}' needs ${FEATURE_TITLES[feature]}. ${sentenceOf(server)} Leave the option out, or use another server.`,
        );
      }
    }
  }
  if (indexes) await startIndexes(collection, options);
  await tellSharedIds(collection, options);
}

function neededFeatures(options: ResolvedOptions): { readonly feature: Feature; readonly name: string }[] {
  const required = (options.requires ?? []).map((feature) => ({ feature, name: 'requires' }));
  return [...required, ...NEEDED_BY.filter((need) => need.isSet(options))];
}

async function startIndexes(collection: Collection, { indexes = [], createIndexes }: ResolvedOptions): Promise<void> {
  const report = await compareIndexes(collection, indexes);
  const create = createIndexes === true && report.missing.length > 0;
  const found = create ? await createMissing(collection, indexes, report) : report;
  for (const sentence of indexSentences(found)) warn(sentence, 'DOCDB_INDEXES');
}

/** Another process that starts may make the same indexes meanwhile, with other options: then they are there, and told as different. */
async function createMissing(collection: Collection, declared: readonly IndexDescription[], report: IndexReport): Promise<IndexReport> {
  try {
    await collection.createIndexes([...report.missing]);
    return { ...report, missing: [] };
  } catch (error) {
    const now = await compareIndexes(collection, declared);
    if (now.missing.length >= report.missing.length) throw error;
    return now.missing.length === 0 ? now : createMissing(collection, declared, now);
  }
}

/** Of `_id` the database keeps each value once, and of another id only where an index says so: callers would be the first of those who share one. */
async function tellSharedIds(collection: Collection, { id }: ResolvedOptions): Promise<void> {
  if (id === '_id' || isUniqueBy(await indexesOf(collection), id)) return;
  warn(
    `${collection.namespace} may have several records with one '${id}', the id of its service, which finds the first of them: create the index ${JSON.stringify({ [id]: 1 })} with unique: true, or declare it in the option 'indexes' of the service with createIndexes: true.`,
    'DOCDB_ID',
  );
}

/** The server's own answer is waited for by nobody: it may be away, or the application end meanwhile. */
async function tellServer(service: StartingService): Promise<void> {
  try {
    const collection = await service.getModel();
    await Promise.all([describeOnce(collection.db), tellSharedIds(collection, service.options)]);
  } catch {
    // Calls say so when they need it.
  }
}

function describeOnce(db: Db): Promise<ServerDescription> {
  const { client } = db;
  const known = KNOWN.get(client);
  if (known) return known;
  const asked = describeServer(db).then((server) => {
    if (Object.values(server.features).includes('no')) warn(sentenceOf(server), 'DOCDB_SERVER');
    return server;
  });
  KNOWN.set(client, asked);
  asked.catch(() => KNOWN.delete(client));
  return asked;
}

function warn(sentence: string, code: string): void {
  process.emitWarning(sentence, { type: 'FrameworkWarning', code });
}
