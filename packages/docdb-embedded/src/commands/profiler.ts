import { ObjectId } from 'bson';
import { encode } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { codeName } from '../errors.ts';
import type { Predicate } from '../query/matcher.ts';
import type { Store } from '../storage/store.ts';
import type { Waiting } from '../storage/write-lock.ts';
import { applicationOf } from './client-metadata.ts';
import type { ConnectionState } from './command.ts';
import { OPERATIONS, targetOf } from './operations.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What is noted of a database's commands: nothing (0), what is slow (1), or everything (2). */
export interface ProfileSettings {
  readonly level: 0 | 1 | 2;
  /** Above how many milliseconds a command is slow. */
  readonly slowms: number;
  /** Which share of the slow ones is noted. */
  readonly sampleRate: number;
  /** What is noted in place of what is slow. */
  readonly filter: { readonly shown: Doc; readonly matches: Predicate } | undefined;
}

/** A command that has ended. */
export interface EndedCommand {
  readonly database: string;
  readonly command: Doc;
  readonly connection: ConnectionState;
  /** By `performance.now()`. */
  readonly started: number;
  readonly answer: Doc;
}

const DEFAULTS: ProfileSettings = { level: 0, slowms: 100, sampleRate: 1, filter: undefined };
/** Bytes of the collection that notes are in. */
const SIZE = 1_048_576;
/** Bytes of a command that are noted. */
const MOST_BYTES = 50_000;
/** Signs of a longer one that are. */
const SHOWN = 10_000;

/** Notes commands in `system.profile` of their database, as `profile` asks for it; it is off again when the server starts anew. */
export class Profiler {
  readonly #store: Store;
  readonly #settings = new Map<string, ProfileSettings>();
  /** Whether anything is noted anywhere. */
  isOn = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns what is noted of a database */
  settingsOf(database: string): ProfileSettings {
    return this.#settings.get(database) ?? DEFAULTS;
  }

  /** Changes what is noted of a database. @param waiting who waits while writers are kept out */
  async set(database: string, settings: ProfileSettings, waiting: Waiting): Promise<void> {
    const ns = `${database}.system.profile`;
    if (settings.level > 0)
      await this.#store.write(
        (writer) => {
          if (!writer.reader.collection(ns)) writer.collections.create(ns, { capped: true, size: SIZE }, undefined, false);
        },
        false,
        waiting,
      );
    this.#settings.set(database, settings);
    this.#look();
  }

  /** Notes nothing more of a database, which is dropped. */
  forget(database: string): void {
    this.#settings.delete(database);
    this.#look();
  }

  #look(): void {
    this.isOn = [...this.#settings.values()].some(({ level }) => level > 0);
  }

  /**
   * Notes a command, if it is one to be noted. A note that cannot be written does not make the command fail, and nothing is noted
   * while writers are kept out: reads, and what lets writers in again, are not to wait for that.
   */
  async note(ended: EndedCommand): Promise<void> {
    const settings = this.#settings.get(ended.database);
    if (!settings || settings.level === 0 || this.#store.engine.lock.ended) return;
    const millis = performance.now() - ended.started;
    if (settings.level === 1 && !settings.filter && !(millis > settings.slowms && Math.random() < settings.sampleRate)) return;
    const entry = entryOf(ended, Math.floor(millis));
    if (settings.level === 1 && settings.filter?.matches(entry) === false) return;
    const ns = `${ended.database}.system.profile`;
    try {
      await this.#store.write((writer) => {
        const collection = writer.reader.collection(ns);
        if (!collection || collection.isView) return;
        writer.insert(collection, { _id: new ObjectId(), ...entry }, undefined, false);
      });
    } catch (error) {
      console.error(`docdb-embedded: a command could not be noted in ${ns}`, error);
    }
  }
}

function entryOf({ command, database, connection, answer }: EndedCommand, millis: number): Doc {
  const [name = ''] = Object.keys(command);
  const { user, client, remote } = connection;
  const appName = applicationOf(client);
  return {
    op: OPERATIONS.get(name) ?? 'command',
    ns: `${database}.${targetOf(command) ?? '$cmd'}`,
    command: shownCommand(command),
    ...countsOf(name, answer),
    ...(Number(answer.ok) === 1
      ? {}
      : { ok: 0, errMsg: answer.errmsg, errName: typeof answer.code === 'number' ? codeName(answer.code) : '', errCode: answer.code }),
    millis,
    ts: new Date(),
    client: remote.replace(/:\d+$/, ''),
    ...(appName === undefined ? {} : { appName }),
    allUsers: user ? [{ ...user }] : [],
    user: user ? `${user.user}@${user.db}` : '',
    protocol: 'op_msg',
  };
}

/** A long command is cut. */
function shownCommand(command: Doc): Doc {
  const { $clusterTime: _time, ...shown } = withoutSecrets(command);
  if (encode(shown).length <= MOST_BYTES) return shown;
  const [name = ''] = Object.keys(shown);
  const text = JSON.stringify(shown, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return { $truncated: text.slice(0, SHOWN), [name]: typeof shown[name] === 'string' ? shown[name] : 1 };
}

function countsOf(name: string, answer: Doc): Doc {
  const { cursor, n, nModified } = answer;
  if (isDocument(cursor)) {
    const batch: Value = cursor.firstBatch ?? cursor.nextBatch;
    const open = String(cursor.id) === '0' ? {} : { cursorid: cursor.id };
    return { ...open, nreturned: Array.isArray(batch) ? batch.length : 0 };
  }
  if (name === 'insert') return { ninserted: n };
  if (name === 'update') return { nMatched: n, nModified };
  return name === 'delete' ? { ndeleted: n } : {};
}
