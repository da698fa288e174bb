import { expect, it } from '@jest/globals';
import { NextCommit } from '../../src/commands/next-commit.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';

it('waits for what is written next, also for a time that timers do not know', async () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  const order: string[] = [];
  const wait = new NextCommit(store).within(2 ** 40).then(() => order.push('waited'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  order.push('writes');
  await store.write((writer) => writer.collections.create('test.items', {}, undefined));
  await wait;
  expect(order).toEqual(['writes', 'waited']);
  await store.close();
});
