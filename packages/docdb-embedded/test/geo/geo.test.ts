import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { Document } from 'mongodb';
import { geoWithin } from '../../src/geo/geo-tests.ts';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.GEO_SEED ?? 20261122);
const RADIANS = Math.PI / 180;

type Place = readonly [number, number];

/** Seen from the middle of the earth on a plane at [0, 0]: edges on the sphere are straight there. */
function projected([longitude, latitude]: Place): Place {
  const [lambda, phi] = [longitude * RADIANS, latitude * RADIANS];
  const depth = Math.cos(phi) * Math.cos(lambda);
  return [(Math.cos(phi) * Math.sin(lambda)) / depth, Math.sin(phi) / depth];
}

/** The place that is seen at a point of that plane. */
function onEarth([x, y]: Place): Place {
  return [Math.atan(x) / RADIANS, Math.atan(y / Math.hypot(1, x)) / RADIANS];
}

function insideFlat([x, y]: Place, corners: readonly Place[]): boolean {
  let inside = false;
  for (const [index, [x1, y1]] of corners.entries()) {
    const [x2, y2] = corners[(index + 1) % corners.length] as Place;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

const point = (place: Place): Document => ({ type: 'Point', coordinates: [...place] });

describe('an area on the sphere', () => {
  it('holds the places that it holds when seen from the middle of the earth', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < 300; round++) {
      const count = 3 + random.below(8);
      const seen = Array.from({ length: count }, (_unused, index): Place => {
        const turn = ((index + random.below(80) / 100) / count) * 2 * Math.PI;
        const far = 0.1 + random.below(150) / 100;
        return [far * Math.cos(turn), far * Math.sin(turn)];
      });
      const corners = seen.map(onEarth);
      const ring = [...corners, corners[0] as Place];
      const inside = geoWithin({ $geometry: { type: 'Polygon', coordinates: [ring.map((place) => [...place])] } });
      for (let tried = 0; tried < 10; tried++) {
        const place: Place = [random.below(12_000) / 100 - 60, random.below(12_000) / 100 - 60];
        const wanted = insideFlat(projected(place), seen);
        expect([corners, place, inside(point(place))]).toEqual([corners, place, wanted]);
        variety.tried(String([corners, place]));
        variety.took(wanted ? 'inside' : 'outside');
      }
    }
    console.log(variety.report('GEO_SEED', SEED));
    variety.expect(2900, { inside: 200, outside: 500 });
  });
});

describe('places', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());
  const places = (): ReturnType<Harness['db']['collection']> => harness.db.collection('places');
  beforeEach(async () => {
    await harness.db.dropDatabase();
    await places().createIndex({ at: '2dsphere' });
    await places().insertMany([
      { _id: 'far', at: point([20, 0]) },
      { _id: 'near', at: point([1, 0]) },
      {
        _id: 'area',
        at: {
          type: 'Polygon',
          coordinates: [
            [
              [2, -1],
              [4, -1],
              [4, 1],
              [2, 1],
              [2, -1],
            ],
          ],
        },
      },
      { _id: 'none' },
    ] as never[]);
  });
  const ids = (docs: readonly Document[]): unknown[] => docs.map(({ _id }) => _id as unknown);
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing failed',
      (error: unknown) => (error as { code?: unknown }).code,
    );

  it('are found by distance, the nearest first, between two bounds', async () => {
    const near = (more: Document = {}): Document => ({ at: { $near: { $geometry: point([0, 0]), ...more } } });
    expect(ids(await places().find(near()).toArray())).toEqual(['near', 'area', 'far']);
    expect(
      ids(
        await places()
          .find(near({ $minDistance: 200_000, $maxDistance: 300_000 }))
          .toArray(),
      ),
    ).toEqual(['area']);
    expect(ids(await places().find(near()).sort({ _id: 1 }).toArray())).toEqual(['area', 'far', 'near']);
  });

  it('are found by distance and by a field of any name', async () => {
    const search = JSON.parse('{"at":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}},"__proto__":1}') as Document;
    expect(await places().find(search).toArray()).toHaveLength(0);
  });

  it('say how far they are away', async () => {
    const [first] = await places()
      .aggregate([{ $geoNear: { near: point([0, 0]), distanceField: 'far', spherical: true, query: { _id: 'near' } } }])
      .toArray();
    expect(first).toEqual({ _id: 'near', at: point([1, 0]), far: 111318.84502145034 });
  });

  it('are found where they meet a line or an area', async () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [1, 0],
        [3, 0],
      ],
    };
    expect(
      ids(
        await places()
          .find({ at: { $geoIntersects: { $geometry: line } } })
          .sort({ _id: 1 })
          .toArray(),
      ),
    ).toEqual(['area', 'near']);
    const area = {
      type: 'Polygon',
      coordinates: [
        [
          [0, -2],
          [5, -2],
          [5, 2],
          [0, 2],
          [0, -2],
        ],
      ],
    };
    expect(
      ids(
        await places()
          .find({ at: { $geoWithin: { $geometry: area } } })
          .sort({ _id: 1 })
          .toArray(),
      ),
    ).toEqual(['area', 'near']);
  });

  it('are found by the operator under its old name, and with an option that says nothing any more', async () => {
    const around = { $centerSphere: [[0, 0], 0.1] };
    const found = async (condition: Document): Promise<unknown[]> => ids(await places().find({ at: condition }).sort({ _id: 1 }).toArray());
    const expected = await found({ $geoWithin: around });
    expect(expected).toEqual(['area', 'near']);
    expect(await found({ $within: around })).toEqual(expected);
    expect(await found({ $within: { ...around, $uniqueDocs: true } })).toEqual(expected);
    expect(await found({ $geoWithin: { $uniqueDocs: false, ...around } })).toEqual(expected);
    expect(await found({ $not: { $within: around }, $exists: true })).toEqual(['far']);
    expect(await found({ $near: { $geometry: point([0, 0]), $maxDistance: 150_000 }, $uniqueDocs: true })).toEqual(['near']);
    expect(
      await failure(
        places()
          .find({ at: { $geoWithin: { $uniqueDocs: true } } })
          .toArray(),
      ),
    ).toBe(2);
    expect(
      await failure(
        places()
          .find({ at: { $near: { $geometry: point([0, 0]) }, $within: around } })
          .toArray(),
      ),
    ).toBe(2);
    const plan = await places()
      .find({ at: { $within: around } })
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"IXSCAN"');
    await places().createIndex({ _id: 1, at: 1 }, { name: 'some', partialFilterExpression: { at: { $within: around } } });
    await places().dropIndex('some');
  });

  it('are found by distance from a point of GeoJSON itself, and no further than a third number of a pair says', async () => {
    const found = async (condition: Document): Promise<unknown[]> => ids(await places().find({ at: condition }).toArray());
    const all = await found({ $near: { $geometry: point([0, 0]) } });
    expect(all).toEqual(['near', 'area', 'far']);
    for (const operator of ['$near', '$nearSphere', '$geoNear']) {
      expect(await found({ [operator]: point([0, 0]) })).toEqual(all);
      expect(await found({ [operator]: point([0, 0]), $minDistance: 200_000, $maxDistance: 300_000 })).toEqual(['area']);
    }
    expect(await found({ $nearSphere: [0, 0, 0.02] })).toEqual(['near']);
    expect(await found({ $nearSphere: [0, 0], $maxDistance: 0.02 })).toEqual(['near']);
    for (const wrong of [
      { type: 'Polygon', coordinates: [0, 0] },
      { coordinates: [0, 0] },
      { type: 'Point', coordinates: [] },
      point([200, 0]),
    ])
      expect(
        await failure(
          places()
            .find({ at: { $near: wrong } })
            .toArray(),
        ),
      ).toBe(2);
    expect(
      await failure(
        places()
          .find({ at: { $nearSphere: [0, 0, -1] } })
          .toArray(),
      ),
    ).toBe(18522);
  });

  it('that are none are refused by their index, and nothing is written', async () => {
    expect(await failure(places().insertOne({ _id: 'bad', at: point([200, 0]) } as never))).toBe(16755);
    expect(await failure(places().updateOne({ _id: 'near' } as never, { $set: { at: 'here' } }))).toBe(16755);
    expect(await places().findOne({ _id: 'near' } as never)).toEqual({ _id: 'near', at: point([1, 0]) });
    expect(await places().countDocuments()).toBe(4);
  });

  it.each([
    [
      'a query',
      () => places().find({ 'other.at': { $nearSphere: [0, 0], $maxDistance: 0.01 } }),
      'field=other.at maxdist=0.01 isNearSphere=1',
    ],
    ['a plane', () => places().find({ other: { $near: [0, 0] } }), 'field=other maxdist=1.79769e+308 isNearSphere=0'],
    [
      'a stage',
      () => places().aggregate([{ $geoNear: { near: point([0, 0]), key: 'other', distanceField: 'd' } }]),
      'field=other maxdist=1.79769e+308 isNearSphere=1',
    ],
  ])('are not searched by distance without an index, and the error names the field as programs read it (%s)', async (_, cursor, named) => {
    const error = { code: 291, message: expect.stringMatching(/: ns=[\w.-]+Tree: GEONEAR {2}field=/) };
    await expect(cursor().toArray()).rejects.toMatchObject(error);
    await expect(cursor().toArray()).rejects.toThrow(named);
  });

  it('are not searched by distance without an index, nor inside of $or', async () => {
    expect(
      await failure(
        places()
          .find({ other: { $near: { $geometry: point([0, 0]) } } })
          .toArray(),
      ),
    ).toBe(291);
    expect(
      await failure(
        places()
          .find({ $or: [{ at: { $near: { $geometry: point([0, 0]) } } }] })
          .toArray(),
      ),
    ).toBe(5626500);
    expect(
      await failure(
        places()
          .aggregate([{ $match: { at: { $near: { $geometry: point([0, 0]) } } } }])
          .toArray(),
      ),
    ).toBe(5626500);
  });
});
