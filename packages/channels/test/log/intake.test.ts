import { describe, expect, it } from '@jest/globals';
import type { EventEntry, Target } from '../../src/log/event-entry.ts';
import { Intake } from '../../src/log/intake.ts';

const MOST_FILTERS = 10_000;
const own = (): boolean => true;
const asked = (): boolean => false;
const ENTRY = { path: 'notes', event: 'created', text: '{"n":1}', at: 0 };
const FILTERED: EventEntry = { ...ENTRY, targets: [{ channel: 'all', filter: own }] };

/** What stands between a log and this process, and what it has delivered. */
function intake(republished: readonly Target[] = [{ channel: 'all', filter: asked }]) {
  const told: unknown[] = [];
  const failed: string[] = [];
  const parts = new Intake({
    deliver: ({ targets }) => void told.push(targets.map(({ channel, filter }) => [channel, filter])),
    passed: (order) => void told.push(order),
    lost: (epoch) => void told.push(epoch),
    republish: async () => republished,
    textOf: String,
    failed: (error) => void failed.push(error instanceof Error ? error.message : String(error)),
    unread: () => undefined,
    unstored: () => undefined,
    maxBytes: 1_000_000,
  });
  return { parts, told, failed, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('an entry with a filter', () => {
  it('of this process is filtered by it once, and by what the publisher says again when it is told again', async () => {
    const { parts, told, settled } = intake();
    const entry = parts.outgoing(FILTERED);
    expect(entry.targets).toEqual([{ channel: 'all', filtered: true }]);
    parts.entry(entry, [1]);
    expect(told).toEqual([[['all', own]]]);
    parts.entry(entry, [2]);
    await settled();
    expect(told).toEqual([[['all', own]], [['all', asked]]]);
  });

  it.each<[string, (parts: Intake, entry: ReturnType<Intake['outgoing']>) => void]>([
    ['was not stored', (parts, entry) => parts.dropped(entry)],
    ['was made before the log was lost', (parts) => parts.lost('another')],
    [
      'was made before as many as are kept',
      (parts) => {
        for (let made = 0; made < MOST_FILTERS; made++) parts.outgoing(FILTERED);
      },
    ],
  ])('that %s is not kept: the publisher is asked should it come', async (_what, happens) => {
    const { parts, told, settled } = intake();
    const entry = parts.outgoing(FILTERED);
    happens(parts, entry);
    parts.entry(entry, [1]);
    await settled();
    expect(told.at(-1)).toEqual([['all', asked]]);
  });

  it('is kept among as many as are', () => {
    const { parts, told } = intake();
    const entry = parts.outgoing(FILTERED);
    for (let made = 1; made < MOST_FILTERS; made++) parts.outgoing(FILTERED);
    parts.entry(entry, [1]);
    expect(told).toEqual([[['all', own]]]);
  });

  it.each<[string, readonly Target[]]>([
    ['another channel', [{ channel: 'some', filter: asked }]],
    ['no filter', [{ channel: 'all' }]],
    ['nothing', []],
  ])('of another process is told to nobody where the publisher names %s here', async (_what, republished) => {
    const { parts, told, failed, settled } = intake(republished);
    parts.entry({ ...ENTRY, key: 'k', targets: [{ channel: 'all', filtered: true }] }, [1]);
    parts.passed([2]);
    await settled();
    expect(told).toEqual([[2]]);
    expect(failed).toEqual([expect.stringMatching(/^The publisher names other channels here/)]);
  });
});

it('an entry without a filter needs no publisher, and keeps its place behind one that does', async () => {
  const { parts, told, settled } = intake();
  const plain = { ...ENTRY, key: 'l', targets: [{ channel: 'b' }] };
  parts.entry(plain, [1]);
  expect(told).toEqual([[['b', undefined]]]);
  parts.entry({ ...ENTRY, key: 'k', targets: [{ channel: 'all', filtered: true }] }, [2]);
  parts.entry(plain, [3]);
  parts.lost('another');
  expect(told).toHaveLength(1);
  await settled();
  expect(told.slice(1)).toEqual([[['all', asked]], [['b', undefined]], 'another']);
});
