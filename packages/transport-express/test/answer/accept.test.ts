import { Random } from '@framework-internal/testing';
import { expect, it } from '@jest/globals';
import originalExpress, { type Request } from 'express';
import { isPreferred, wishFor } from '../../src/answer/accept.ts';

const OFFERS = ['application/json', 'text/html', 'application/problem+json', 'application/x-ndjson'] as const;
const RANGES = [...OFFERS, 'application/*', 'text/*', '*/*', 'image/png', 'APPLICATION/JSON'] as const;
const QUALITIES = ['', ';q=0', ';q=0.1', '; q=0.5', ';q=0.999', ';q=1', ' ; Q=0.3'] as const;

/** What Express makes of an `Accept` header. */
function express(accept: string, types: string[]): string | false {
  const request = Object.assign(Object.create(originalExpress.request) as Request, { headers: { accept } });
  return request.accepts(types) as string | false;
}

it('wishes are those that Express reads from the header, for single types and between two', () => {
  const random = new Random(20_261_121);
  const headers = new Set<string>();
  let [refused, decided] = [0, 0];
  for (let round = 0; round < 5000; round++) {
    // One range twice is for nobody to understand.
    const ranges = RANGES.filter(() => random.oneIn(3));
    const parts = ranges.map((range) => ({ range, at: random.below(1000) })).sort((one, other) => one.at - other.at);
    const accept = parts.map(({ range }) => `${range}${random.pick(QUALITIES)}`).join(random.pick([',', ', ', ' , ']));
    if (accept === '' || (accept.includes('APPLICATION') && accept.includes('application/json'))) continue;
    headers.add(accept);
    for (const type of OFFERS) {
      const taken = express(accept, [type]) === type;
      expect([accept, type, wishFor(accept, type).quality > 0]).toEqual([accept, type, taken]);
      if (!taken) refused += 1;
    }
    const [one, other] = [random.pick(OFFERS), random.pick(OFFERS)];
    const [wish, otherWish] = [wishFor(accept, one), wishFor(accept, other)];
    if (one === other || !isPreferred(wish, otherWish)) continue;
    decided += 1;
    // Express takes the first of those that are wanted alike, so that it has to be the second here.
    expect([accept, one, other, express(accept, [other, one])]).toEqual([accept, one, other, one]);
  }
  console.log(`${headers.size} different headers, ${refused} refusals, ${decided} preferences`);
  expect([headers.size > 3000, refused > 1000, decided > 500]).toEqual([true, true, true]);
});

it('no header takes everything, and a malformed one nothing that it does not name', () => {
  expect(wishFor(undefined, 'text/html')).toEqual({ quality: 1, precision: 0, position: 0 });
  for (const accept of ['', ';', ',,', 'json', ';q=1', '/', 'text', '*'])
    expect([accept, wishFor(accept, 'text/html').quality]).toEqual([accept, 0]);
  expect(wishFor('text/html;q=x', 'text/html').quality).toBe(0);
  expect(wishFor('text/html;q=7', 'text/html').quality).toBe(1);
  expect(wishFor('a/b, application/vnd.api+json;q=0.5', 'application/json', '+json')).toEqual({ quality: 0.5, precision: 2, position: 1 });
});
