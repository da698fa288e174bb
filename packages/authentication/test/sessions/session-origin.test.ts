import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../harness.ts';

const origin = (subject: string, session?: string): object => ({ strategy: 'google', subject, session });

describe('sessions that came from a login at another system', () => {
  it('are found and ended by the session there, or by who it is there, and by nothing else', async () => {
    const { app, service } = createApp({ sessions: true });
    const store = new MemoryService({ multi: true });
    app.use('sessions', store);
    const sessions = service.sessions!;
    const begin = async (user: string, from?: object): Promise<string> => {
      const draft = sessions.begin(user, 0, {}, undefined, from as never);
      await draft.store();
      return draft.id;
    };
    const [annOne, annTwo, bob, own] = [
      await begin('1', origin('ann', 's1')),
      await begin('1', origin('ann', 's2')),
      await begin('2', origin('bob', 's3')),
      await begin('1'),
    ];
    const alive = async (): Promise<string[]> => {
      const states = await Promise.all(
        [annOne, annTwo, bob, own].map((id, index) =>
          sessions.check(id, index === 2 ? '2' : '1').then(
            () => id,
            () => '',
          ),
        ),
      );
      return states.filter((id) => id !== '');
    };
    expect(await sessions.endOfOrigin({ strategy: 'google' })).toBe(0);
    expect(await sessions.endOfOrigin({ strategy: 'other', subject: 'ann' })).toBe(0);
    expect(await sessions.endOfOrigin({ strategy: 'google', session: 's1' })).toBe(1);
    expect(await alive()).toEqual([annTwo, bob, own]);
    expect(await sessions.endOfOrigin({ strategy: 'google', subject: 'ann' })).toBe(1);
    expect(await alive()).toEqual([bob, own]);
    // Names of people elsewhere are kept as digests alone.
    expect(JSON.stringify([...store.store.values()])).not.toMatch(/"(ann|bob|s\d)"/);
    service.teardown();
  });
});

describe('S16 the configuration as JSON', () => {
  it('has no secret of any strategy, at any depth', () => {
    const { service } = createApp({
      oauth: {
        secret: 'hidden 1',
        google: { key: 'shown', secret: 'hidden 2' },
        apple: [{ privateKey: 'hidden 3', clientSecret: 'hidden 4' }],
      },
    });
    const text = JSON.stringify(service.configuration);
    expect(text).toContain('"key":"shown"');
    expect(text).not.toContain('hidden');
  });
});
