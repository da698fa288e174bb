// Takes the rules that the interleavings depend on out of the source, one at a time, and looks whether the test notices.
// `node test/interleavings/rules.mjs`; RULE=name for one of them, `--check` to see that they are there.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeOutRules } from '../../../../scripts/take-out-rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Name of a rule: where it is, what it says, and what is said without it. */
const RULES = {
  'the first writer wins': ['src/transactions/transaction.ts', 'if (!owner || owner === transaction) return;', 'return;'],
  'a document that changed since the snapshot is a conflict': [
    'src/storage/writer.ts',
    'if (this.reader.at(collection, before.record)?.version !== before.version) throw new Outdated();',
    '',
  ],
  'a key that the snapshot still sees is a conflict': [
    'src/storage/unique-keys.ts',
    'if (transaction && this.#holderOf(transaction.reader, collection, index, values, record, transaction)) throw new Outdated();',
    '',
  ],
  'who may give a key back is waited for': [
    'src/storage/unique-keys.ts',
    'this.#store.claims.check(documentClaim(collection, other.record), transaction);',
    '',
  ],
  'unique keys are claimed': [
    'src/storage/unique-keys.ts',
    'for (const own of this.#store.claims.take(claim, record, transaction)) {',
    'for (const own of []) {',
  ],
  'who commits first has the name of a collection': [
    'src/commands/session.ts',
    'if (writer.isOvertaken(transaction)) throw',
    'if (false) throw',
  ],
  'a changed collection waits for transactions': [
    'src/storage/store.ts',
    'for (const transaction of this.#open) if (transaction.hasTouched(collection)) throw new WaitFor(transaction);',
    '',
  ],
  'a transaction works with the collection of its snapshot': [
    'src/storage/writer.ts',
    'if (this.reader.collection(collection.ns) !== collection) throw snapshotUnavailable(collection.ns);',
    '',
  ],
  'a retry waits for the first attempt': [
    'src/commands/run-command.ts',
    'if (options.number !== undefined) {\n      done = await session?.checkOut();',
    'if (options.number !== undefined) {\n      done = undefined;',
  ],
  'a retry gets the same answer': [
    'src/storage/writer.ts',
    'putReply(this.#store.engine, session, record, part);',
    'void [putReply, session, record, part];',
  ],
  'a statement goes on where it waited': [
    'src/commands/targeted-statement.ts',
    'if (collection && !this.#searched && (transaction',
    'this.#forget();\n    if (collection && !this.#searched && (transaction',
  ],
  'suspects of an index build are checked': [
    'src/commands/build-indexes.ts',
    'writer.uniqueKeys.checkSuspects(collection, index, store.suspects.take(index))',
    'store.suspects.take(index)',
  ],
  'a transaction reads its snapshot': [
    'src/commands/query-command.ts',
    'const held = transaction?.snapshot ?? snapshot;',
    'const held = snapshot;',
  ],
  'a reader sees the changes of its transaction': [
    'src/commands/query-command.ts',
    'reader: transaction?.reader ?? held.reader,',
    'reader: held.reader,',
  ],
};

/** Milliseconds after which a run is ended: the test itself notices a step that never ends. */
const LIMIT = 30 * 60_000;

/** @returns what the test says: nothing when it passes, or the interleaving that went wrong */
function run() {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      '../../node_modules/jest/bin/jest.js',
      '--runInBand',
      '--forceExit',
      'interleavings.test',
    ],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: LIMIT,
      killSignal: 'SIGKILL',
      // The sources run as they are: nothing is to be built of them.
      env: { ...process.env, TURBO_HASH: 'rules', INTERLEAVINGS: process.env.INTERLEAVINGS ?? '2000' },
    },
  );
  if (status === 0) return undefined;
  const said = /Interleaving \d+ of .*/.exec(stdout + stderr)?.[0];
  if (said !== undefined) return said.slice(0, 160);
  if (error) return `a run that did not end within ${LIMIT / 60_000} minutes`;
  throw new Error(`The test failed for another reason: ${(stdout + stderr).slice(0, 2000)}`);
}

const rules = Object.entries(RULES).map(([name, place]) => [name, { places: [place] }]);
takeOutRules(root, Object.fromEntries(rules), run);
