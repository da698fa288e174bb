import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import type { CommandStartedEvent, Document } from 'mongodb';
import { DocDbService, type DocDbServiceOptions } from '../src/index.ts';

/** A record of the tests. */
export interface Person {
  _id: unknown;
  name: string;
  age?: number;
  [name: string]: unknown;
}

/** A service over an empty collection, with a log of the commands that reach the database. */
export interface ServiceHarness {
  readonly database: TestDatabase;
  readonly commands: Document[];
  service(options?: Partial<DocDbServiceOptions>): DocDbService<Person, Partial<Person>>;
  reset(): Promise<void>;
}

const DATA_COMMANDS = new Set(['find', 'aggregate', 'count', 'distinct', 'insert', 'update', 'delete', 'findAndModify', 'getMore']);

/** Starts the database of the run with a client that reports its commands. */
export async function startHarness(): Promise<ServiceHarness> {
  const database = await startDatabase({ monitorCommands: true });
  const commands: Document[] = [];
  database.client.on('commandStarted', (event: CommandStartedEvent) => {
    if (DATA_COMMANDS.has(event.commandName)) commands.push(event.command);
  });
  const collection = database.db.collection('people');
  return {
    database,
    commands,
    service: (options = {}) => new DocDbService<Person, Partial<Person>>({ Model: collection, ...options }),
    async reset() {
      await collection.drop();
      commands.length = 0;
    },
  };
}
