import { expect, it } from '@jest/globals';
import { framework, getRules, wrapCalls } from '../../src/index.ts';

it('wrapCalls puts a hook around all others, around what is taken out of results, and in front of the event', async () => {
  const order: string[] = [];
  const app: any = framework();
  app.use('secrets', { get: async () => ({ id: 1, text: 'a', secret: 'x' }) });
  getRules(app.service('secrets'))!.add({ writeOnly: ['secret'] });
  app.use('notes', { create: async () => ({ own: true, nested: await app.service('secrets').get(1) }), find: async () => [] });
  const note = (name: string) => async (_context: unknown, next: () => Promise<unknown>) => {
    order.push(name);
    await next();
  };
  app.hooks({ around: { all: [note('application')] } });
  app.service('notes').hooks({ around: { all: [note('service')] } });
  app.service('notes').on('created', () => order.push('event'));
  wrapCalls(app.service('notes'), async (context, next) => {
    order.push('outside');
    await next();
    order.push(JSON.stringify(context.dispatch ?? context.result));
  });
  await app.service('notes').create({}, { provider: 'rest' });
  expect(order.filter((name) => name !== 'application')).toEqual([
    'outside',
    'service',
    '{"own":true,"nested":{"id":1,"text":"a"}}',
    'event',
  ]);
  expect(order.indexOf('outside')).toBeLessThan(order.indexOf('application'));
  await expect(app.service('notes').find()).resolves.toEqual([]);
  expect(() => wrapCalls({}, async () => undefined)).toThrow('registered services');
});
