import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { type Db, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { documents, pipeline, update } from './generate.ts';
import { runPlain } from './plain-pipeline.ts';
import { updatePlain } from './plain-update.ts';
import { order, type Plain, type PlainDoc, Refused } from './plain-values.ts';

const SEED = Number(process.env.ORACLE_SEED ?? 20261122);
const CASES = Number(process.env.ORACLE_CASES ?? 150);

let db: Db;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = process.env.DOCDB_URL === undefined ? await DocDbServer.start() : undefined;
  const client = await new MongoClient(server?.uri ?? process.env.DOCDB_URL ?? '').connect();
  db = client.db('oracle');
  stop = async () => {
    await db.dropDatabase();
    await client.close();
    await server?.stop();
  };
});
afterAll(() => stop());

type Outcome = readonly PlainDoc[] | 'refused';

async function asked(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return (await work()) as PlainDoc[];
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'number') return 'refused';
    throw error;
  }
}

function worked(work: () => readonly PlainDoc[]): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

/** Numbers as they are compared, and sets and groups in one order. */
function settled(outcome: Outcome, stages: readonly PlainDoc[]): Outcome {
  const group = stages.find((stage) => '$group' in stage)?.$group as PlainDoc | undefined;
  if (outcome === 'refused' || !group) return outcome;
  const sets = Object.keys(group).filter((name) => Object.keys((group[name] as PlainDoc | null) ?? {})[0] === '$addToSet');
  return outcome
    .map(
      (doc) =>
        ({ ...doc, ...Object.fromEntries(sets.map((name) => [name, [...(doc[name] as readonly Plain[])].sort(order)])) }) as PlainDoc,
    )
    .sort((a, b) => order(a._id, b._id));
}

async function filled(docs: readonly PlainDoc[]): Promise<void> {
  await db.collection('docs').deleteMany({});
  await db.collection('docs').insertMany(docs.map((doc) => ({ ...doc })) as never[]);
}

describe('random pipelines and updates give what a plain evaluation of the manual gives', () => {
  it('pipelines', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < CASES; round++) {
      const docs = documents(random);
      const stages = pipeline(random);
      await filled(docs);
      const got = await asked(() =>
        db
          .collection('docs')
          .aggregate(stages as never[])
          .toArray(),
      );
      const wanted = worked(() => runPlain(docs, stages));
      const told = JSON.stringify({ round, docs, stages });
      expect({ told, result: settled(got, stages) }).toEqual({ told, result: settled(wanted, stages) });
      variety.tried(JSON.stringify([docs, stages]));
      variety.took(wanted === 'refused' ? 'refused' : wanted.length === 0 ? 'empty' : 'documents');
      for (const stage of stages) variety.took(Object.keys(stage)[0] ?? '');
    }
    console.log(variety.report('pipelines beside a plain evaluation', SEED));
    const least = Math.floor(CASES / 30);
    variety.expect(Math.floor(CASES * 0.9), {
      documents: CASES / 3,
      refused: 1,
      $group: least,
      $unwind: least,
      $project: least,
      $set: least,
    });
  }, 1_800_000);

  it('updates', async () => {
    const random = new Random(SEED + 1);
    const variety = new Variety();
    for (let round = 0; round < CASES; round++) {
      const docs = documents(random);
      const change = update(random);
      await filled(docs);
      for (const doc of docs) {
        const got = await asked(() =>
          db
            .collection('docs')
            .findOneAndUpdate({ _id: doc._id } as never, change as never, { returnDocument: 'after' })
            .then((found) => [found]),
        );
        const wanted = worked(() => [updatePlain(doc, change)]);
        const told = JSON.stringify({ round, doc, change });
        expect({ told, result: got }).toEqual({ told, result: wanted });
        variety.took(wanted === 'refused' ? 'refused' : 'changed');
      }
      variety.tried(JSON.stringify([docs, change]));
      for (const name of Object.keys(change)) variety.took(name);
    }
    console.log(variety.report('updates beside a plain evaluation', SEED + 1));
    const least = Math.floor(CASES / 30);
    variety.expect(Math.floor(CASES * 0.9), { changed: CASES, refused: least, $push: least, $pull: 1, $rename: least, $inc: least });
  }, 1_800_000);
});
