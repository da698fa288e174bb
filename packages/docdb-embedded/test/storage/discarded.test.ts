import { expect, it } from '@jest/globals';
import { Discarded } from '../../src/storage/discarded.ts';
import { Engine, numberKey } from '../../src/storage/engine.ts';

it('removes what is dropped while it looks for the last time', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  const discarded = new Discarded(engine);
  const keys = [1, 2, 3].map((at) => Buffer.concat([numberKey(7), numberKey(at)]));
  await engine.write(() => {
    for (const key of keys) void engine.documents.put(key, key);
  });
  // Both are in one commit: it finds nothing, and behind it something is there.
  discarded.sweep();
  await engine.write(() => {
    discarded.add('documents', 7);
  });
  while (keys.some((key) => engine.documents.get(key))) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(keys.map((key) => engine.documents.get(key))).toEqual([undefined, undefined, undefined]);
  await discarded.stop();
  await engine.close();
});
