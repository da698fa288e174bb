import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { channels } from '../../src/index.ts';
import { SharedLog } from '../shared-log.ts';
import { open, type App, type Listener } from '../listener.ts';

interface Two {
  readonly inner: App;
  readonly outer: App;
}

function applications(): Two {
  const [inner, outer] = [framework() as App, framework() as App];
  for (const app of [inner, outer]) app.configure(channels());
  inner.use('secrets', new MemoryService());
  return { inner, outer };
}

/** A connection of an application that is in one channel. */
function member(app: App, channel: string): Listener {
  const listener = open(app);
  app.channel(channel).join(listener.connection);
  return listener;
}

describe('a service of two applications', () => {
  it.each([
    ['before', ({ inner, outer }: Two, publish: () => void) => (publish(), outer.use('in', inner))],
    ['after', ({ inner, outer }: Two, publish: () => void) => (outer.use('in', inner), publish())],
    ['before, without a mount', ({ inner, outer }: Two, publish: () => void) => (publish(), outer.use('in', inner.service('secrets')))],
  ])('has one publisher, whether it was given %s the other had it', async (_when, bring) => {
    const two = applications();
    const { inner, outer } = two;
    outer.publish(() => outer.channel('everybody'));
    bring(two, () => inner.service('secrets').publish(() => [inner.channel('admins'), outer.channel('auditors')]));
    const [everybody, admin, auditor] = [member(outer, 'everybody'), member(inner, 'admins'), member(outer, 'auditors')];
    await inner.service('secrets').create({ id: 1 });
    expect(everybody.texts).toEqual([]);
    expect(admin.texts).toEqual([{ id: 1 }]);
    expect(auditor.texts).toEqual([{ id: 1 }]);
  });

  it('is published to the channels of the application that was asked for them, and not to those of the same name', async () => {
    const { inner, outer } = applications();
    outer.use('in', inner);
    inner.service('secrets').publish(() => inner.channel('admins').filter(() => true));
    const [own, other] = [member(inner, 'admins'), member(outer, 'admins')];
    await outer.service('in/secrets').create({ id: 1 });
    expect(own.texts).toEqual([{ id: 1 }]);
    expect(other.texts).toEqual([]);
  });

  it('is not published to another application by the publisher of one, which is told', async () => {
    const { inner, outer } = applications();
    outer.use('in', inner);
    outer.publish(() => inner.channel('admins'));
    const errors: string[] = [];
    outer.on('listenerError', (error: Error) => errors.push(error.message));
    await inner.service('secrets').create({ id: 1 });
    expect(errors).toEqual([expect.stringContaining('app.publish() gave a channel of another application')]);
  });
});

describe('a durable service of an application without channels', () => {
  it('fails its start, since nothing would be durable', async () => {
    const app = framework().use('orders', new MemoryService(), { durable: true });
    await expect(app.setup()).rejects.toThrow("The option 'durable' of 'orders' needs channels with a log of its database");
    await expect(framework().use('orders', new MemoryService(), { durable: false }).setup()).resolves.toBeDefined();
    expect(() => framework().use('orders', new MemoryService(), { durable: 'yes' as never })).toThrow('has to be true or false');
  });

  it('is durable by the channels of an application that it is mounted in', async () => {
    const log = new SharedLog();
    let transactions = 0;
    const member = log.member({
      transaction: async (_context, work) => {
        transactions += 1;
        await work();
      },
    });
    const inner = framework().use('orders', new MemoryService(), { durable: true });
    const outer = framework() as App;
    outer.configure(channels({ log: member }));
    outer.use('in', inner);
    await outer.setup();
    await outer.service('in/orders').create({ id: 1 });
    expect(transactions).toBe(1);
  });
});
