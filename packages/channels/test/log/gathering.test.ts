import { expect, it } from '@jest/globals';
import type { LogEntry } from '../../src/log/event-log.ts';
import { Gathering } from '../../src/log/gathering.ts';

const entry = (key: string): LogEntry => ({ key, path: 'notes', event: 'created', text: '{}', targets: [{ channel: 'all' }], at: 0 });

it('asks a log for nothing more once it was given up, also for what that has refused together', async () => {
  const asked: string[][] = [];
  let refuse = (_error: Error): void => undefined;
  const gathering = new Gathering({ milliseconds: 1, maxBytes: 10_000 }, (entries) => {
    asked.push(entries.map(({ key }) => key));
    return new Promise((_resolve, reject) => (refuse = reject));
  });
  const added = Promise.allSettled([gathering.add([entry('a')]), gathering.add([entry('b')])]);
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await gathering.end(Promise.resolve());
  expect((await added).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  refuse(new Error('too large'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toEqual([['a', 'b']]);
});
