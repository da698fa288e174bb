import type { Db, Document } from 'mongodb';
import { FEATURES, FEATURE_TITLES, probeFeature, type Feature, type FeatureAnswer } from './features.ts';

/** What a server says of itself, and what it can do. */
export interface ServerDescription {
  /** Its hosts and ports; no names of users, no passwords. */
  readonly hosts: readonly string[];
  /** Whose it is, as far as it says so. */
  readonly product: string;
  readonly version: string;
  readonly topology: 'standalone server' | 'replica set' | 'sharded cluster';
  readonly features: Readonly<Record<Feature, FeatureAnswer>>;
}

/**
 * Asks the server of a database what it is and what it can do. Nothing is written.
 *
 * @param db any database on it that the user of the connection may read
 * @throws what the driver throws when the server can not be reached
 */
export async function describeServer(db: Db): Promise<ServerDescription> {
  const [hello, buildInfo] = await Promise.all([db.command({ hello: 1 }), db.command({ buildInfo: 1 }).catch((): Document => ({}))]);
  const hosts = db.client.options.hosts.map(String);
  // One after the other: a server that is asked at each start is not to be loaded by it.
  const features: Partial<Record<Feature, FeatureAnswer>> = {};
  for (const feature of FEATURES) features[feature] = await probeFeature(db, feature);
  return {
    hosts,
    product: productOf(buildInfo, hosts),
    version: typeof buildInfo.version === 'string' ? buildInfo.version : 'of an unknown version',
    topology: hello.msg === 'isdbgrid' ? 'sharded cluster' : typeof hello.setName === 'string' ? 'replica set' : 'standalone server',
    features: features as Record<Feature, FeatureAnswer>,
  };
}

/** Ends of host names that belong to one product. */
const HOSTS = [
  ['.docdb.amazonaws.com', 'Amazon DocumentDB'],
  ['.docdb-elastic.amazonaws.com', 'Amazon DocumentDB'],
  ['.cosmos.azure.com', 'Azure Cosmos DB'],
] as const;

function productOf({ ferretdb, modules }: Document, hosts: readonly string[]): string {
  if (ferretdb !== undefined) return 'FerretDB';
  if (Array.isArray(modules) && modules.includes('docdb-embedded')) return 'docdb-embedded, answering as MongoDB';
  const named = HOSTS.find(([end]) => hosts.some((host) => host.replace(/:\d+$/, '').endsWith(end)));
  return named?.[1] ?? 'MongoDB';
}

/** Says in one sentence what a server is, and what it can not do. */
export function sentenceOf({ hosts, product, version, topology, features }: ServerDescription): string {
  const missing = FEATURES.filter((feature) => features[feature] === 'no').map((feature) => `no ${FEATURE_TITLES[feature]}`);
  const unknown = FEATURES.filter((feature) => features[feature] === 'unknown').map((feature) => FEATURE_TITLES[feature]);
  const has = missing.length > 0 ? `has ${listOf(missing)}` : 'has all that the adapter can use';
  const unasked = unknown.length > 0 ? `; the user of the connection may not ask about ${listOf(unknown)}` : '';
  return `The database at ${hosts.join(', ')} is ${product} ${version}, a ${topology}, and ${has}${unasked}.`;
}

function listOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${String(names.at(-1))}` : names.join('');
}
