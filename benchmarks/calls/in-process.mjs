// `service.get` in the same process: without hooks, with 4 and 16 around hooks, with synchronous hooks before and after; beside a
// bare asynchronous function, chains of the same functions put together by hand, and the incumbent.
import { feathers } from '@feathersjs/feathers';
import { bytesPerCall } from '@framework-internal/counting';
import { framework } from '@framework/core';
import { compare } from '../measure/compare.mjs';
import { withInterval } from '../measure/table.mjs';

const RECORD = Object.freeze({ id: 1, name: 'Ann Example' });
const get = async (_id, _params) => RECORD;

const around = async (context, next) => {
  context.params.seen = true;
  await next();
};
const plain = (context) => {
  context.params.seen = true;
};

function serviceOf(app, hooks) {
  app.use('items', { get });
  app.service('items').hooks(hooks);
  return app.service('items');
}

const many = (count) => ({ around: { all: Array(count).fill(around) } });
const regular = { before: { all: [plain, plain] }, after: { all: [plain, plain] } };

/** What someone would write who has no framework: one context for each call, and each function calls the next. */
function byHand(count) {
  let chain = async (context) => {
    context.result = await get(context.id, context.params);
  };
  for (let index = 0; index < count; index++) {
    const rest = chain;
    chain = (context) => around(context, () => rest(context));
  }
  return async (id, params) => {
    const context = { path: 'items', method: 'get', type: 'around', id, params, result: undefined };
    await chain(context);
    return context.result;
  };
}

const services = {
  'no hooks': [byHand(0), serviceOf(framework(), {}), serviceOf(feathers(), {})],
  '4 around hooks': [byHand(4), serviceOf(framework(), many(4)), serviceOf(feathers(), many(4))],
  '16 around hooks': [byHand(16), serviceOf(framework(), many(16)), serviceOf(feathers(), many(16))],
  '2 + 2 synchronous before and after': [undefined, serviceOf(framework(), regular), serviceOf(feathers(), regular)],
};

export async function inProcess() {
  const rows = [];
  const figures = {};
  for (const [title, [hand, ours, incumbent]] of Object.entries(services)) {
    const works = {
      'a bare asynchronous function': () => get(1, {}),
      ...(hand ? { 'by hand': () => hand(1, {}) } : {}),
      ours: () => ours.get(1, {}),
      incumbent: () => incumbent.get(1, {}),
    };
    for (const work of Object.values(works)) if ((await work()) !== RECORD) throw new Error(`${title}: another answer`);
    const { ratio } = await compare(works);
    const ratios = {};
    const bytes = {};
    for (const name of Object.keys(works)) {
      ratios[name] = ratio(name);
      bytes[name] = await bytesPerCall(works[name]);
    }
    figures[title] = { ratios, bytes, byHand: hand && ratio('ours', 'by hand') };
    const cell = (name) => (ratios[name] ? `${withInterval(ratios[name], 1)}, ${bytes[name].toFixed(0)} bytes` : '');
    rows.push([title, cell('by hand'), cell('ours'), cell('incumbent')]);
  }
  return { figures, head: ['`service.get`, x a bare asynchronous function', 'by hand', 'ours', 'the incumbent'], rows };
}
