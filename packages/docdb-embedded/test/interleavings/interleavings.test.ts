import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId, UUID } from 'mongodb';
import { Random } from '@framework-internal/random';
import { decode } from '../../src/bson/decode.ts';
import type { Doc } from '../../src/bson/values.ts';
import { Security } from '../../src/security/security.ts';
import { Users } from '../../src/security/users.ts';
import type { ConnectionState, ServerState } from '../../src/commands/command.ts';
import { Admissions } from '../../src/commands/admissions.ts';
import { Cursors } from '../../src/commands/cursors.ts';
import { FailPoints } from '../../src/commands/fail-points.ts';
import { IndexBuilds } from '../../src/commands/index-builds.ts';
import { Operations } from '../../src/commands/operations.ts';
import { Parameters } from '../../src/commands/parameters.ts';
import { Profiler } from '../../src/commands/profiler.ts';
import { ServerLog } from '../../src/commands/server-log.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { Sessions } from '../../src/transactions/sessions.ts';
import { SnapshotReads } from '../../src/transactions/snapshot-reads.ts';
import { Blocked, Model, type Outcome, type Step } from './model.ts';

const SEED = Number(process.env.INTERLEAVING_SEED ?? 20261122);
/** Orders that are tried; more by a command of their own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.INTERLEAVINGS ?? 500);
const STEPS = 14;
/** Milliseconds after which a step is one that never ends. */
const STEP_LIMIT = 60_000;
const SESSIONS = 3;

const CONNECTION: ConnectionState = {
  id: 1,
  uuid: '00000000-0000-4000-8000-000000000000',
  remote: '127.0.0.1:0',
  user: undefined,
  client: undefined,
  closed: false,
  gone: new Promise<void>(() => undefined),
};

let server: ServerState;
beforeAll(async () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  server = {
    store,
    cursors: new Cursors(),
    sessions: new Sessions(store),
    snapshots: new SnapshotReads(store),
    failPoints: new FailPoints(false),
    builds: new IndexBuilds(),
    security: new Security(new Users(store), false),
    operations: new Operations(),
    connections: new Map(),
    profiler: new Profiler(store),
    parameters: new Parameters(),
    admissions: new Admissions(() => new Parameters().admissionRate),
    log: new ServerLog(''),
    traffic: () => ({ bytesIn: 0, bytesOut: 0, requests: 0 }),
    connectionsMade: () => 0,
    address: '127.0.0.1:0',
    setName: 'rs0',
    started: 0,
    processId: new ObjectId(),
  };
});
afterAll(() => server.store.close());

const WRITES = ['insert', 'upsert', 'set', 'inc', 'delete', 'incAll'] as const;

function stepOf(random: Random, inTransaction: boolean): Step {
  const id = random.below(4);
  const u = random.below(4);
  const kind = inTransaction
    ? random.pick([...WRITES, ...WRITES, 'find', 'commit', 'commit', 'abort'] as const)
    : random.pick([
        ...WRITES,
        ...WRITES,
        'find',
        'begin',
        'begin',
        'begin',
        'drop',
        'index',
        'index',
        'dropIndex',
        'retry',
        'retry',
      ] as const);
  return { kind, id, u } as Step;
}

interface Turn {
  readonly session: number;
  readonly step: Step;
}

/** @returns what any of the sessions does next */
function turnOf(random: Random, model: Model): Turn {
  const session = random.below(SESSIONS);
  return { session, step: stepOf(random, model.open.has(session)) };
}

/** Every so many rounds begin with sessions that are in the way of each other: left to chance, some of that hardly ever comes up. */
const EVERY = 4;

/** @returns how a round begins */
function openingOf(round: number, random: Random): Turn[] {
  if (round % EVERY > 0) return [];
  const item = { id: random.below(4), u: random.below(4) };
  const beside = { id: (item.id + 1) % 4, u: item.u };
  const insert = { kind: 'insert', ...item } as const;
  const set = { kind: 'set', id: item.id, u: (item.u + 1) % 4 } as const;
  const inc = { kind: 'inc', id: item.id } as const;
  const waits = (kind: Step): [0 | 1, Step][] => [
    [0, insert],
    [1, { kind: 'begin' }],
    [1, set],
    [0, kind],
  ];
  const openings: readonly (readonly [0 | 1, Step])[][] = [
    waits(inc),
    waits({ kind: 'incAll' }),
    waits(insert),
    waits({ kind: 'delete', id: item.id }),
    waits({ kind: 'drop' }),
    waits({ kind: 'index' }),
    // A transaction comes too late to a document, a key, a collection, and a name.
    [
      [0, insert],
      [1, { kind: 'begin' }],
      [0, set],
      [1, inc],
    ],
    [
      [0, insert],
      [1, { kind: 'begin' }],
      [0, { ...insert, ...beside }],
      [1, { ...insert, ...beside }],
    ],
    [
      [0, insert],
      [1, { kind: 'begin' }],
      [0, { kind: 'drop' }],
      [0, insert],
      [1, insert],
    ],
    [
      [1, { kind: 'begin' }],
      [1, insert],
      [0, { ...insert, ...beside }],
      [1, { kind: 'commit' }],
    ],
    // Two documents have what is to be unique.
    [
      [0, insert],
      [0, { ...insert, ...beside }],
      [0, { kind: 'index' }],
    ],
  ];
  const first = random.below(SESSIONS);
  const sessions = [first, (first + 1) % SESSIONS] as const;
  return (openings[(round / EVERY) % openings.length] ?? []).map(([who, step]) => ({ session: sessions[who], step }));
}

/** One of the sessions, as a driver has it. */
class Client {
  readonly lsid: Doc = { id: new UUID().toBinary() };
  readonly #ns: string;
  #number = 0n;
  #inTransaction = false;
  #last: Doc | undefined;

  constructor(ns: string) {
    this.#ns = ns;
  }

  /** The last write that may be sent again. */
  get canRetry(): boolean {
    return this.#last !== undefined && !this.#inTransaction;
  }

  async run(step: Step): Promise<Outcome> {
    const answer = await inTime(runCommand(server, CONNECTION, this.#command(step)));
    if (answer === NEVER) return { code: 0 };
    if (Number(answer?.ok) !== 1 && this.#inTransaction) this.#inTransaction = false;
    return outcomeOf(answer ?? {}, step);
  }

  #command(step: Step): Doc {
    const begins = step.kind === 'begin';
    if (begins) {
      this.#inTransaction = true;
      this.#number += 1n;
      this.#last = undefined;
    }
    const base = { $db: 't', lsid: this.lsid };
    const inside = this.#inTransaction ? { txnNumber: this.#number, autocommit: false, ...(begins ? { startTransaction: true } : {}) } : {};
    if (step.kind === 'commit' || step.kind === 'abort') {
      this.#inTransaction = false;
      return { [`${step.kind}Transaction`]: 1, ...base, $db: 'admin', ...inside };
    }
    if (step.kind === 'retry') return this.#last as Doc;
    const command = { ...this.#body(step), ...base, ...inside };
    const isWrite = 'insert' in command || 'update' in command || 'delete' in command;
    // Of many documents is no write that may be sent again.
    if (!isWrite || this.#inTransaction || step.kind === 'incAll') return command;
    this.#number += 1n;
    this.#last = { ...command, txnNumber: this.#number };
    return this.#last;
  }

  #body(step: Step): Doc {
    const c = this.#ns;
    switch (step.kind) {
      case 'begin':
        // The state is that of now, and nothing is used of it yet.
        return { find: `${c}-other`, filter: {} };
      case 'find':
        return { find: c, filter: {}, sort: { _id: 1 } };
      case 'insert':
        return { insert: c, documents: [{ _id: step.id, u: step.u, n: 0 }] };
      case 'upsert':
        return { update: c, updates: [{ q: { _id: step.id }, u: { $set: { u: step.u }, $setOnInsert: { n: 0 } }, upsert: true }] };
      case 'set':
        return { update: c, updates: [{ q: { _id: step.id }, u: { $set: { u: step.u } } }] };
      case 'inc':
        return { update: c, updates: [{ q: { _id: step.id }, u: { $inc: { n: 1 } } }] };
      case 'incAll':
        return { update: c, updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] };
      case 'delete':
        return { delete: c, deletes: [{ q: { _id: step.id }, limit: 1 }] };
      case 'index':
        return { createIndexes: c, indexes: [{ key: { u: 1 }, name: 'u_1', unique: true }] };
      case 'dropIndex':
        return { dropIndexes: c, index: 'u_1' };
      default:
        return { drop: c };
    }
  }
}

function outcomeOf(answer: Doc, step: Step): Outcome {
  const errors = answer.writeErrors as Doc[] | undefined;
  if (Number(answer.ok) !== 1) return { code: answer.code as number };
  if (errors?.[0]) return { code: errors[0].code as number };
  const cursor = answer.cursor as { firstBatch: { bytes: Buffer }[] } | undefined;
  if (cursor) return { docs: cursor.firstBatch.map(({ bytes }) => readItem(bytes)) };
  return ['insert', 'upsert', 'set', 'inc', 'incAll', 'delete', 'retry'].includes(step.kind) ? { n: answer.n as number } : {};
}

/** Fields may come in any order: `$set` and `$setOnInsert` sort theirs. */
function readItem(bytes: Buffer): { _id: number; u: number; n: number } {
  const doc = decode(bytes) as { _id: number; u: number; n: number };
  return { _id: doc._id, u: doc.u, n: doc.n };
}

const NEVER = Symbol('never');

/** @returns what comes of it, if anything ever does */
async function inTime<T>(work: Promise<T>): Promise<T | typeof NEVER> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof NEVER>((resolve) => {
    timer = setTimeout(() => {
      resolve(NEVER);
    }, STEP_LIMIT);
  });
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  return first;
}

/** Time in which whatever can go on does. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await server.store.write(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function isPending(work: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await settle();
  return (await Promise.race([work, Promise.resolve(pending)])) === pending;
}

describe('sessions', () => {
  it(`answer as if they worked one after the other: ${String(ROUNDS)} interleavings of ${String(SESSIONS)}, INTERLEAVING_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED);
    const seen = new Map<string, number>();
    const note = (what: string): void => {
      seen.set(what, (seen.get(what) ?? 0) + 1);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const history: unknown[] = [];
      const model = new Model();
      const opening = openingOf(round, random);
      const clients = Array.from({ length: SESSIONS }, () => new Client(`c${String(round)}`));
      const answers = new Map<number, Outcome>();
      const check = (session: number, step: Step, wanted: Outcome, found: Outcome): void => {
        history.push({ session, ...step, ...found });
        note(wanted.code === undefined ? step.kind : `${step.kind}: ${String(wanted.code)}`);
        if (JSON.stringify(found) !== JSON.stringify(wanted)) fail(round, history, `answered ${JSON.stringify(wanted)}`);
      };
      for (let at = 0; at < STEPS; at++) {
        const { session, step } = opening[at] ?? turnOf(random, model);
        const client = clients[session] as Client;
        if (step.kind === 'retry') {
          const last = answers.get(session);
          if (last && client.canRetry) check(session, step, last, await client.run(step));
          continue;
        }
        const wanted = attempt(model, session, step);
        if (!(wanted instanceof Blocked)) {
          check(session, step, wanted, await client.run(step));
        } else {
          const work = client.run(step);
          const twice = client.canRetry && isRetryable(step) && random.oneIn(2) ? client.run({ kind: 'retry' }) : undefined;
          if (!(await isPending(work))) fail(round, [...history, { session, ...step, ...(await work) }], 'waited');
          note(`${step.kind} waits`);
          // Whoever is in the way ends, until nobody is.
          let again: Outcome | Blocked = wanted;
          while (again instanceof Blocked) {
            const end: Step = { kind: random.oneIn(2) ? 'commit' : 'abort' };
            check(again.session, end, model.run(again.session, end), await (clients[again.session] as Client).run(end));
            again = attempt(model, session, step, again.found);
          }
          check(session, step, again, await work);
          if (twice) {
            note('retry beside the first attempt');
            check(session, { kind: 'retry' }, again, await twice);
          }
          if (isRetryable(step)) answers.set(session, again);
          continue;
        }
        if (isRetryable(step) && !model.open.has(session)) answers.set(session, wanted);
        if (!model.open.has(session) && random.oneIn(3)) {
          const reader = clients.findIndex((_client, other) => !model.open.has(other));
          check(reader, { kind: 'find' }, model.run(reader, { kind: 'find' }), await (clients[reader] as Client).run({ kind: 'find' }));
        }
      }
      for (const session of model.open)
        check(session, { kind: 'abort' }, model.run(session, { kind: 'abort' }), await (clients[session] as Client).run({ kind: 'abort' }));
      check(0, { kind: 'find' }, model.run(0, { kind: 'find' }), await (clients[0] as Client).run({ kind: 'find' }));
      const valid = await runCommand(server, CONNECTION, { validate: `c${String(round)}`, $db: 't' });
      if (valid?.valid === false) fail(round, history, `been sound, and ${String(valid.errors)}`);
      await (clients[0] as Client).run({ kind: 'drop' });
    }
    console.log(`INTERLEAVING_SEED=${String(SEED)} ${JSON.stringify(Object.fromEntries([...seen].sort()))}`);
    for (const what of VARIETY) expect([what, (seen.get(what) ?? 0) >= ROUNDS / 500]).toEqual([what, true]);
  }, 1_800_000);
});

/** The steps of a round, the last of which went wrong. */
function fail(round: number, history: readonly unknown[], wanted: string): never {
  const steps = history.map((step) => JSON.stringify(step)).join('\n');
  throw new Error(`Interleaving ${String(round)} of INTERLEAVING_SEED=${String(SEED)}: the last step should have ${wanted}\n${steps}`);
}

/** What must have come up for the test to say something. */
const VARIETY = [
  'inc: 112',
  'insert: 11000',
  'insert: 112',
  'insert: 246',
  'inc waits',
  'incAll waits',
  'insert waits',
  'delete waits',
  'drop waits',
  'index waits',
  'index: 11000',
  'retry',
  'retry beside the first attempt',
  'commit',
  'commit: 112',
];

function isRetryable(step: Step): boolean {
  return ['insert', 'upsert', 'set', 'inc', 'delete'].includes(step.kind);
}

function attempt(model: Model, session: number, step: Step, found?: ReadonlySet<number>): Outcome | Blocked {
  try {
    return model.run(session, step, found);
  } catch (error) {
    if (error instanceof Blocked) return error;
    throw error;
  }
}
