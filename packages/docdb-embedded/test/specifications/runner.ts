import {
  MongoClient,
  MongoServerError,
  ReadPreference,
  type Collection,
  type Document,
  type MongoClientOptions,
  type Timestamp,
} from 'mongodb';
import { mismatch, type Entities } from './match.ts';
import { isReadable } from './cursor-operations.ts';
import { runOperation, type Operation } from './operations.ts';
import { Unsupported } from './unsupported.ts';

/** A file of the specifications. */
export interface SpecificationFile {
  description: string;
  createEntities?: Document[];
  initialData?: { databaseName: string; collectionName: string; documents: Document[]; createOptions?: Document }[];
  runOnRequirements?: Document[];
  tests: SpecificationTest[];
}

/** One test of a file. */
export interface SpecificationTest {
  description: string;
  operations: Operation[];
  outcome?: { databaseName: string; collectionName: string; documents: Document[] }[];
  runOnRequirements?: Document[];
  skipReason?: string;
}

/** What became of a test. */
export type Outcome =
  { readonly kind: 'passed' } | { readonly kind: 'left out'; readonly why: string } | { readonly kind: 'failed'; readonly why: string };

const VERSION = [8, 2, 0];

function compareVersions(text: string): number {
  const parts = text.split('.').map(Number);
  for (let index = 0; index < 3; index++) {
    const difference = (VERSION[index] as number) - (parts[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @returns whether one of the requirements fits a replica set of version 8.2 without authentication */
export function isApplicable(requirements: readonly Document[] | undefined): boolean {
  if (!requirements) return true;
  return requirements.some(
    (need) =>
      (need.minServerVersion === undefined || compareVersions(need.minServerVersion as string) >= 0) &&
      (need.maxServerVersion === undefined || compareVersions(need.maxServerVersion as string) <= 0) &&
      (need.topologies === undefined || (need.topologies as string[]).includes('replicaset')) &&
      need.auth !== true &&
      need.csfle !== true &&
      need.serverless !== 'require' &&
      need.authMechanism === undefined,
  );
}

/** Runs one test against a server. */
export async function runTest(uri: string, internal: MongoClient, file: SpecificationFile, test: SpecificationTest): Promise<Outcome> {
  if (test.skipReason !== undefined) return { kind: 'left out', why: test.skipReason };
  if (!isApplicable(file.runOnRequirements) || !isApplicable(test.runOnRequirements))
    return { kind: 'left out', why: 'for another server' };
  const entities: Entities = new Map([['internal client', internal]]);
  const clients: MongoClient[] = [];
  entities.set('server', { uri, clients });
  try {
    await prepare(internal, file);
    await createEntities(uri, file.createEntities ?? [], entities, clients);
    await runAll(test.operations, entities);
    for (const cursor of entities.values()) if (isReadable(cursor)) await cursor.close();
    for (const session of entities.values())
      if (typeof (session as { endSession?: unknown }).endSession === 'function')
        await (session as { endSession(): Promise<void> }).endSession();
    await checkOutcome(internal, test);
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'left out', why: `not needed: ${error.message}` };
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    // What it has not named it has not left behind.
    const named = JSON.stringify([file.createEntities, test.operations]);
    for (const name of ['failCommand', 'onPrimaryTransactionalWrite', 'failGetMoreAfterCursorCheckout'])
      if (named.includes(name)) await internal.db('admin').command({ configureFailPoint: name, mode: 'off' });
    if (named.includes('ession')) await internal.db('admin').command({ killAllSessions: [] });
    for (const client of clients) await client.close();
  }
}

async function prepare(internal: MongoClient, file: SpecificationFile): Promise<void> {
  for (const { databaseName, collectionName, documents, createOptions } of file.initialData ?? []) {
    const db = internal.db(databaseName);
    await db.dropCollection(collectionName);
    if (createOptions || documents.length === 0) await db.createCollection(collectionName, createOptions);
    if (documents.length > 0) await db.collection(collectionName).insertMany(documents, { writeConcern: { w: 'majority' } });
  }
}

async function createEntities(uri: string, descriptions: readonly Document[], entities: Entities, clients: MongoClient[]): Promise<void> {
  for (const description of descriptions) {
    const [kind = ''] = Object.keys(description);
    const { id, ...given } = description[kind] as Document & { id: string };
    if (kind === 'client') {
      const client = new MongoClient(uri, {
        ...(given.uriOptions as MongoClientOptions | undefined),
        monitorCommands: true,
        serverSelectionTimeoutMS: 3000,
      });
      clients.push(client);
      entities.set(id, client);
    } else if (kind === 'database') {
      entities.set(
        id,
        (entities.get(given.client as string) as MongoClient).db(given.databaseName as string, given.databaseOptions as object),
      );
    } else if (kind === 'collection') {
      const db = entities.get(given.database as string) as { collection(name: string, options?: object): Collection };
      entities.set(id, db.collection(given.collectionName as string, readOptions(given.collectionOptions as Document | undefined)));
    } else if (kind === 'session') {
      const { snapshotTime, ...options } = (given.sessionOptions ?? {}) as Document;
      const session = (entities.get(given.client as string) as MongoClient).startSession(options);
      // A time that the test has saved; the driver has it as a property and not as an option.
      if (typeof snapshotTime === 'string')
        (session as { snapshotTime?: Timestamp }).snapshotTime = entities.get(snapshotTime) as Timestamp;
      entities.set(id, session);
    } else throw new Unsupported(`entity ${kind}`);
  }
}

function readOptions(options: Document | undefined): object {
  if (!options?.readPreference) return options ?? {};
  return { ...options, readPreference: ReadPreference.fromOptions(options as object) };
}

/** Errors inside a callback reach the driver, expected ones too. */
async function runAll(operations: readonly Operation[], entities: Entities, inCallback = false): Promise<void> {
  for (const operation of operations) await runOne(operation, entities, inCallback);
}

async function runOne(operation: Operation, entities: Entities, inCallback: boolean): Promise<void> {
  let result: unknown;
  try {
    if (operation.name === 'createEntities') {
      const { uri, clients } = entities.get('server') as { uri: string; clients: MongoClient[] };
      await createEntities(uri, (operation.arguments?.entities ?? []) as Document[], entities, clients);
      return;
    }
    result = await runOperation(operation, entities, (inner) => runAll(inner, entities, true));
  } catch (error) {
    if (error instanceof Unsupported || operation.ignoreResultAndError) {
      if (operation.ignoreResultAndError) return;
      throw error;
    }
    if (!operation.expectError) throw new Error(`${operation.name}: ${(error as Error).message}`, { cause: error });
    checkError(operation, error as Error);
    if (inCallback) throw error;
    return;
  }
  if (operation.ignoreResultAndError) return;
  if (operation.expectError) throw new Error(`${operation.name}: expected an error ${JSON.stringify(operation.expectError)}`);
  if (operation.saveResultAsEntity !== undefined) entities.set(operation.saveResultAsEntity, result);
  if (!('expectResult' in operation)) return;
  const found = mismatch(operation.expectResult, result ?? null, entities);
  if (found !== undefined && !(operation.expectResult === null && result === undefined)) throw new Error(`${operation.name}: ${found}`);
}

function checkError({ name, expectError = {} }: Operation, error: Error): void {
  const { errorCode, errorCodeName, errorContains, errorLabelsContain, errorLabelsOmit, isClientError } = expectError;
  // A bulk write of a client tells what the server refused as its cause.
  const server = (error.cause instanceof MongoServerError ? error.cause : error) as MongoServerError;
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}, got ${String(server.code)} ${error.message}`);
  };
  if (isClientError === true && error instanceof MongoServerError) fail('expected an error of the client');
  if (errorCode !== undefined && server.code !== errorCode) fail(`expected code ${String(errorCode)}`);
  if (errorCodeName !== undefined && server.codeName !== errorCodeName) fail(`expected ${String(errorCodeName)}`);
  if (errorContains !== undefined && !error.message.toLowerCase().includes(String(errorContains).toLowerCase()))
    fail(`expected the text ${String(errorContains)}`);
  for (const label of (errorLabelsContain as string[] | undefined) ?? [])
    if (!server.hasErrorLabel(label)) fail(`expected the label ${label}`);
  for (const label of (errorLabelsOmit as string[] | undefined) ?? [])
    if (server.hasErrorLabel(label)) fail(`did not expect the label ${label}`);
}

async function checkOutcome(internal: MongoClient, { outcome = [] }: SpecificationTest): Promise<void> {
  for (const { databaseName, collectionName, documents } of outcome) {
    const found = await internal
      .db(databaseName)
      .collection(collectionName)
      .find({}, { sort: { _id: 1 } })
      .toArray();
    const difference = mismatch(documents, found, new Map(), false, 'outcome');
    if (difference !== undefined) throw new Error(difference);
  }
}
