import { RecordShape } from '@framework/schema';
import { Random, Variety } from '@framework-internal/testing';
import { ShapeGenerator, type GeneratedShape } from '@framework-internal/testing/shapes';
import { ask, seeAll, write, writeAround, writeUnknown, type Notes } from './probes.ts';
import type { Holds, World } from './world.ts';

/** What was tried, and what got through. */
export interface Findings {
  readonly violations: string[];
  readonly variety: Variety;
}

/** Marked places of a shape that are asked about and written. */
const PLACES = 2;

/**
 * Stores records of generated shapes in services, and tries to get out and in what must not.
 *
 * @param holds what holds; a mutation takes one thing out
 * @param most violations to look for. Default: all
 */
export async function search(world: World, seed: number, count: number, holds: Holds, most = Infinity): Promise<Findings> {
  const random = new Random(seed);
  const generator = new ShapeGenerator(random, 6, true);
  const violations: string[] = [];
  const variety = new Variety();
  for (let round = 0; round < count && violations.length < most; round++) {
    const shape = nextWithId(generator);
    variety.tried(JSON.stringify(shape.schema).replaceAll(/\d+/g, ''));
    variety.took(`level ${String(shape.depth)}`);
    for (const construct of shape.constructs) variety.took(construct);
    for (const { secrecy } of shape.places) variety.took(secrecy);
    const kind = random.pick(['memory', 'docdb'] as const);
    variety.took(kind);
    const stored = await world.store(shape, dressed(shape.record, random), kind, holds);
    const notes: Notes = {
      violation: (text) => void violations.push(`seed ${String(seed)}, shape ${String(round)}, ${kind}: ${text}`),
      took: (branch) => {
        variety.took(branch);
      },
    };
    await seeAll(world, stored, shape, notes);
    await writeUnknown(world, stored, shape, notes);
    for (let index = 0; index < Math.min(PLACES, shape.places.length); index++) {
      const place = random.pick(shape.places);
      await ask(world, stored, place, random, notes);
      await write(world, stored, shape, place, random, notes);
      await stored.restore();
    }
    await writeAround(world, stored, shape, notes);
    stored.take();
  }
  return { violations, variety };
}

/** A shape that hides whatever it does not name hides the id too, and is no record that anyone can ask for. */
function nextWithId(generator: ShapeGenerator): GeneratedShape {
  for (;;) {
    const shape = generator.next();
    if (new RecordShape(shape.schema).property(['_id'], { params: {} })?.readable !== false) return shape;
  }
}

/** Makes its own JSON, as the documents of a database library do. */
class Document {
  readonly #fields: object;

  constructor(fields: object) {
    this.#fields = fields;
    Object.assign(this, fields);
  }

  toJSON(): object {
    return this.#fields;
  }
}

/** The same record, with objects of other kinds in it, whose JSON shows what they hold. */
function dressed(value: unknown, random: Random, top = true): unknown {
  if (Array.isArray(value)) return value.map((entry) => dressed(entry, random, false));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, dressed(inner, random, false)]));
  return !top && random.oneIn(8) ? new Document(copy) : copy;
}
