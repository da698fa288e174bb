import type { Collection } from './collection.ts';
import { enterSome } from './enter-some.ts';
import type { Engine } from './engine.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { Store } from './store.ts';
import type { Stored } from './stored.ts';

/** Where the database notes in which form the entries of indexes are kept, and by which rules the keys of collated ones were made. */
const FORM = Buffer.from('form of entries');
const RULES = Buffer.from('rules of text');
/** Grows when entries are kept in another form; the first one noted none. */
const PRESENT = 2;
const PRESENT_FORM = Buffer.of(PRESENT);
/** Grows when `writeTextPlace` gives texts other places, a collation compares them in another way, words have other stems, or a projection other fields. */
const PLACES = 5;
/** Entries that one write removes, and documents that are looked up at once. */
const STEP = 500;

/** The order of languages belongs to the version of Node.js. */
function presentRules(): Buffer {
  const { icu, unicode, cldr } = process.versions;
  return Buffer.from(`${String(PLACES)} ${String(icu)} ${String(unicode)} ${String(cldr)}`);
}

/**
 * Looks whether a folder can be read, before anything is written into it.
 *
 * @throws Error for one of a newer version that keeps its data in another form
 */
export function checkForm({ system }: Engine, path: string): void {
  const [form = PRESENT] = system.get(FORM) ?? [];
  if (form <= PRESENT) return;
  throw new Error(
    `The folder ${path} was written by a newer version of docdb-embedded, in the form ${String(form)}; this version knows forms up to ${String(PRESENT)}. Start the newer version on it, or choose another folder`,
  );
}

/**
 * Makes the entries of indexes anew where others made them: all for a version of the database that kept them in another form, and
 * those of collated indexes, of places, words and all fields for one that gave them other keys or none, or for a Node.js with
 * other rules of languages. What a crash interrupts begins again. Called once, before anything is read.
 */
export async function renewIndexes(store: Store): Promise<void> {
  const { system } = store.engine;
  const rules = presentRules();
  const formed = system.get(FORM)?.equals(PRESENT_FORM) === true;
  if (formed && system.get(RULES)?.equals(rules) === true) return;
  const collections = store.newest.collections();
  if (!formed && collections.length > 0) await store.engine.dropFirstEntries();
  for (const collection of collections) {
    const old = [...collection.indexes.values()].filter((index) => !formed || index.collator !== undefined || index.isDerived);
    if (old.length === 0) continue;
    for (const index of old) await clear(store, index);
    await fill(store, collection, old);
  }
  await store.write(() => {
    void system.put(FORM, PRESENT_FORM);
    void system.put(RULES, rules);
  }, true);
}

async function clear(store: Store, index: IndexDefinition): Promise<void> {
  while (await store.write((writer) => writer.clearIndex(index, STEP), true));
}

async function fill(store: Store, collection: Collection, indexes: readonly IndexDefinition[]): Promise<void> {
  const reading = store.read();
  try {
    let records: number[] = [];
    const write = async (): Promise<void> => {
      for (let at = 0; at < records.length;)
        at = await store.write((writer) => {
          const enter = (stored: Stored): void => {
            for (const index of indexes) writer.enterInto(collection, index, stored);
          };
          return enterSome(writer.reader, collection, records, at, enter);
        }, true);
    };
    for (const record of reading.reader.recordsBehind(collection, 0)) {
      if (records.push(record) < STEP) continue;
      await write();
      records = [];
    }
    await write();
  } finally {
    reading.release();
  }
}
