import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Db, type Document } from 'mongodb';
import { eventLog } from '../../src/index.ts';
import { startFeatureProxy, type FeatureProxy } from '../feature-proxy.ts';
import { entry, readLog, told, until, type Told } from './log-harness.ts';

let database: TestDatabase;
let proxy: FeatureProxy;
let client: MongoClient;
/** The database as the log reaches it. */
let db: Db;
let read: Told;
/** What the database answers to the next commands of a kind, in place of doing them. */
let refusals: { readonly name: string; readonly code: number; readonly errmsg: string }[] = [];
/** Kinds of the commands that came. */
let commands: string[] = [];
let answer: ((command: Document, answer: Document) => Document | undefined) | undefined;

beforeAll(async () => {
  database = await startDatabase();
  proxy = await startFeatureProxy(database.uri, [
    {
      refuse(command) {
        const name = kindOf(command);
        commands.push(name);
        const place = refusals.findIndex((refusal) => refusal.name === name);
        const [refusal] = place < 0 ? [] : refusals.splice(place, 1);
        return refusal && { code: refusal.code, errmsg: refusal.errmsg };
      },
      answer: (command, given) => answer?.(command, given),
    },
  ]);
  client = await new MongoClient(proxy.uri).connect();
  db = client.db(database.db.databaseName);
});
beforeEach(() => {
  refusals = [];
  commands = [];
  answer = undefined;
  read = readLog(db);
});
afterEach(async () => {
  refusals = [];
  await read.log.stop();
  await database.db.dropDatabase();
});
afterAll(async () => {
  await client.close();
  await proxy.stop();
  await database.close();
});

/** `stream` opens a stream of changes, and `changes` asks it for more. */
function kindOf(command: Document): string {
  const [name = ''] = Object.keys(command);
  if (name === 'getMore') return command.collection === '$cmd.aggregate' ? 'changes' : name;
  return JSON.stringify(command.pipeline ?? '').includes('$changeStream') ? 'stream' : name;
}

const refuse = (name: string, code: number, errmsg = `refused by ${code}`): void => void refusals.push({ name, code, errmsg });

/** Has the stream answered, which asks for more then, by what is no entry. */
const nudge = (): Promise<unknown> => database.db.collection('events').insertOne({ nothing: true });

const linesOf = (kind: string): string[] => read.lines.filter((line) => line.startsWith(kind));

/** Tells an entry, and waits until it was read. */
async function tell(text: string): Promise<void> {
  await read.log.append([entry(text)]);
  await told(read, `entry ${text}`);
}

describe('a stream of changes that fails', () => {
  it('is opened again behind what was read, and each reason is told once until changes are read', async () => {
    await read.log.start();
    refuse('changes', 13, 'no right');
    for (const reason of ['no right', 'no disk']) refuse('stream', 13, reason);
    await nudge();
    await until(() => refusals.length === 0);
    await tell('a');
    refuse('changes', 13, 'no right');
    await nudge();
    await until(() => refusals.length === 0);
    await tell('b');
    expect(read.lines).toEqual(['lost', 'failed no right', 'failed no disk', 'entry a', 'failed no right', 'entry b']);
  });

  it.each([286, 280, 260])('with %i has lost what was between, says so, and goes on with what comes', async (code) => {
    await read.log.start();
    const { epoch } = read.log;
    refuse('changes', 13, 'cut off');
    refuse('stream', code, 'not in the log');
    await nudge();
    await until(() => read.epochs.length === 2);
    await tell('a');
    expect(read.lines).toEqual(['lost', 'failed cut off', 'lost', 'entry a']);
    expect(read.epochs).toEqual([epoch, epoch]);
  });

  it.each([
    ['nobody', undefined],
    [
      'a reader that is not told of failures',
      { entry: () => undefined, changed: () => undefined, passed: () => undefined, lost: () => undefined },
    ],
  ])('is opened again for %s, too', async (_title, reader) => {
    const log = eventLog(db, { replay: 0 });
    if (reader) log.read(reader);
    await log.start();
    refuse('changes', 13, 'no right');
    await nudge();
    await until(() => refusals.length === 0);
    await log.append([entry('a'), entry('b')]);
    await until(() => log.latest[2] === 2);
    await log.stop();
    expect(commands.filter((name) => name === 'stream')).toHaveLength(2);
  });

  it('that has lost what a log which starts has written tells it anew: the log is started all the same', async () => {
    refuse('stream', 286, 'not in the log');
    const started = read.log.start();
    await until(async () => (await database.db.collection('events').countDocuments()) === 1);
    // The place at which the log goes on is behind this.
    await database.db.collection('others').insertOne({});
    await started;
    await tell('a');
    expect(read.lines).toEqual(['lost', 'lost', 'entry a']);
  });

  it('is asked for no more once the log was stopped', async () => {
    await read.log.start();
    refuse('changes', 13, 'no right');
    refuse('stream', 13, 'not yet');
    await nudge();
    await told(read, 'failed not yet');
    await read.log.stop();
    await read.log.start();
    expect(commands.filter((name) => name === 'stream')).toHaveLength(3);
    expect(read.lines).toEqual(['lost', 'failed no right', 'failed not yet', 'lost']);
  });
});

it('what happens in other collections, and what is no change of a record, is not sent to those who follow a log', async () => {
  const sent: string[] = [];
  answer = (_command, { cursor }) => {
    for (const { operationType, ns } of cursor?.nextBatch ?? []) sent.push(`${operationType} ${ns.coll}`);
    return undefined;
  };
  await read.log.start();
  await database.db.collection('others').insertOne({});
  await database.db.collection('others').drop();
  await tell('a');
  expect(new Set(sent)).toEqual(new Set(['insert events']));
});

describe('a database that was dropped', () => {
  it('has lost its log: it is made anew under another name, and what is stored there is told', async () => {
    await read.log.start();
    await tell('a');
    await database.db.dropDatabase();
    await until(() => read.epochs.length === 2);
    await tell('b');
    expect(read.lines).toEqual(['lost', 'entry a', 'lost', 'entry b']);
    expect(read.epochs[1]).not.toBe(read.epochs[0]);
    expect(read.log.epoch).toBe(read.epochs[1]);
    expect(await database.db.collection('events').indexes()).toHaveLength(2);
  });

  it('that does not let the log be made is asked again', async () => {
    await read.log.start();
    refuse('createIndexes', 13, 'no right');
    await database.db.dropDatabase();
    await until(() => read.epochs.length === 2);
    await tell('a');
    expect(read.lines).toEqual(['lost', 'failed no right', 'lost', 'entry a']);
  });

  it('does not keep a log from ending that is stopped while it is made anew', async () => {
    await read.log.start();
    const stopped = new Promise<void>((resolve, reject) => {
      answer = (command) => {
        if ('createIndexes' in command) read.log.stop().then(resolve, reject);
        return undefined;
      };
    });
    await database.db.dropDatabase();
    await stopped;
    const opened = commands.filter((name) => name === 'stream').length;
    expect([opened, linesOf('failed')]).toEqual([1, []]);
  });
});

describe('a log that can not be started', () => {
  it('for a database without change streams says what it needs', async () => {
    answer = (command, { operationTime: _operationTime, ...rest }) => ('ping' in command ? rest : undefined);
    await expect(read.log.start()).rejects.toThrow('The event log needs a database with change streams: a replica set');
    expect(read.lines).toEqual([]);
  });

  it('for a database that does not tell collections apart says what it needs', async () => {
    answer = (command, given) => {
      if (!('listCollections' in command)) return undefined;
      const firstBatch = given.cursor.firstBatch.map(({ info: _info, ...known }: Document) => known);
      return { ...given, cursor: { ...given.cursor, firstBatch } };
    };
    await expect(read.log.start()).rejects.toThrow(
      "The database does not say which collection 'events' is: the event log needs MongoDB 4.4 or later",
    );
  });

  it('as it may not write there fails with what the database says, and follows nothing', async () => {
    refuse('insert', 13, 'no right to write');
    await expect(read.log.start()).rejects.toThrow('no right to write');
    const asked = commands.length;
    await database.db.collection('events').insertOne({ entries: [entry('a')] });
    // What a stream had asked for before is through.
    await db.command({ ping: 1 });
    expect([read.lines, commands.slice(asked)]).toEqual([['lost'], ['ping']]);
  });
});

describe('entries of a database that can not take them', () => {
  it('are stored when it can, once and in their order', async () => {
    await read.log.start();
    for (let tried = 0; tried < 5; tried++) refuse('insert', 262, 'too busy');
    await read.log.append([entry('a'), entry('b')]);
    // What was stored without an answer is not stored again.
    let unanswered = 5;
    answer = ({ insert }, given) => (insert === 'events' && unanswered-- > 0 ? { ok: 0, code: 262, errmsg: 'too busy' } : given);
    await read.log.append([entry('c'.repeat(3_000_000)), entry('d')]);
    await told(read, 'entry d');
    expect(linesOf('entry').map((line) => line.slice(0, 7))).toEqual(['entry a', 'entry b', 'entry c', 'entry d']);
    expect(await database.db.collection('events').countDocuments({ 'entries.0': { $exists: true } })).toBe(3);
  });

  it('are given up where it refuses them, and once the log has ended', async () => {
    await read.log.start();
    refuse('insert', 13, 'no right');
    await expect(read.log.append([entry('a')])).rejects.toThrow('no right');
    for (let tried = 0; tried < 50; tried++) refuse('insert', 262, 'too busy');
    const late = read.log.append([entry('b')]);
    const failed = expect(late).rejects.toThrow('too busy');
    await until(() => refusals.length < 48);
    await read.log.stop();
    await failed;
  });
});
