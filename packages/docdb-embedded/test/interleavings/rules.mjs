// Takes the rules that the interleavings depend on out of the source, one at a time, and looks whether the test notices.
// `node test/interleavings/rules.mjs`; RULE=name for one of them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  'who commits first has the name of a collection': ['src/commands/session.ts', 'if (writer.isOvertaken(transaction)) {', 'if (false) {'],
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
  'a retry waits for the first attempt': ['src/commands/run-command.ts', 'done = await session?.checkOut();', 'done = undefined;'],
  'a retry gets the same answer': [
    'src/storage/writer.ts',
    'void this.#store.engine.retries.put(session, encode({ ...record, at: new Date() }));',
    '',
  ],
  'a statement goes on where it waited': [
    'src/commands/targeted-statement.ts',
    'if (collection && !this.#searched && (transaction',
    'this.#forget();\n    if (collection && !this.#searched && (transaction',
  ],
  'suspects of an index build are checked': [
    'src/commands/build-indexes.ts',
    'writer.uniqueKeys.checkSuspects(collection, index, store.suspectsOf(index))',
    'store.suspectsOf(index)',
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
      'test/interleavings',
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

if (run() !== undefined) throw new Error('The test fails with all rules in place');
let missed = 0;
for (const [name, [file, rule, without]] of Object.entries(RULES)) {
  if (process.env.RULE && process.env.RULE !== name) continue;
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(rule).length !== 2) throw new Error(`${file} does not say once what '${name}' is taken out by: ${rule}`);
  writeFileSync(path, source.replace(rule, without));
  try {
    const said = run();
    console.log(said === undefined ? `MISSED  ${name}` : `noticed ${name}: ${said}`);
    if (said === undefined) missed += 1;
  } finally {
    writeFileSync(path, source);
  }
}
process.exitCode = missed > 0 ? 1 : 0;
