import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { Collection } from './collection.ts';
import type { Engine } from './engine.ts';
import { IndexDefinition } from './index-definition.ts';
import { behind } from './keys/index-key.ts';

/** All collections at a moment. */
export class Catalogue {
  /** Grows with each change; a state on disk names the one that belongs to it. */
  readonly version: number;
  readonly collections: ReadonlyMap<string, Collection>;

  constructor(version: number, collections: ReadonlyMap<string, Collection>) {
    this.version = version;
    this.collections = collections;
  }

  /** @returns a catalogue without some collections and with others */
  with(removed: readonly Collection[], added: readonly Collection[]): Catalogue {
    const collections = new Map(this.collections);
    for (const collection of removed) collections.delete(collection.ns);
    for (const collection of added) collections.set(collection.ns, collection);
    return new Catalogue(this.version + 1, collections);
  }
}

const COLLECTIONS = Buffer.from('c');

function keyOf(collection: Collection): Buffer {
  const key = Buffer.alloc(5, COLLECTIONS);
  key.writeUInt32BE(collection.number, 1);
  return key;
}

/** Writes what a collection is; in a write only. */
export function saveCollection(engine: Engine, collection: Collection): void {
  const { ns, uuid, options } = collection;
  const indexes = [...collection.indexes.values()].map(({ number, spec, ready, facts }): Doc => ({ number, spec, ready, ...facts }));
  void engine.system.put(keyOf(collection), encode({ number: collection.number, ns, uuid, options, indexes }));
}

/** Forgets what a collection is; in a write only. */
export function forgetCollection(engine: Engine, collection: Collection): void {
  void engine.system.remove(keyOf(collection));
}

/** Reads all collections. */
export function loadCatalogue(engine: Engine, version: number): Catalogue {
  const collections = new Map<string, Collection>();
  for (const { value } of engine.system.getRange({ start: COLLECTIONS, end: behind(COLLECTIONS) })) {
    const { number, ns, uuid, options, indexes } = decode(value) as unknown as Saved;
    const definitions = indexes.map(
      ({ number: own, spec, ready, multikey, coarse }) => new IndexDefinition(own, spec, ready, { multikey, coarse }),
    );
    collections.set(ns, new Collection(number, ns, uuid, options, definitions));
  }
  return new Catalogue(version, collections);
}

interface Saved {
  readonly number: number;
  readonly ns: string;
  readonly uuid: string;
  readonly options: Doc;
  readonly indexes: readonly { number: number; spec: Doc; ready: boolean; multikey: boolean; coarse: boolean }[];
}
