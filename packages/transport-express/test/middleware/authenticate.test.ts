import { authenticate as hook } from '@framework/authentication';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { authenticate, errorHandler } from '../../src/index.ts';
import { send, start } from '../harness.ts';

const HOOK = 'This authenticate() is a hook';
const MIDDLEWARE = 'This authenticate() is middleware';

describe('authenticate', () => {
  it.each(['before', 'around'])('the middleware as a %s hook fails the call with a sentence, and the process goes on', async (type) => {
    const logged: unknown[] = [];
    const running = await start(
      (app) => {
        app.use('notes', new MemoryService());
        app.service('notes').hooks({ [type]: { all: [authenticate('jwt')] } } as never);
      },
      { logger: (error) => void logged.push(error) },
    );
    const answers = [await send(running.url, '/notes'), await send(running.url, '/notes')];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(String(logged[0])).toContain(MIDDLEWARE);
    await running.stop();
  });

  it('the hook as middleware fails the request with a sentence', async () => {
    const logged: unknown[] = [];
    const running = await start(
      (app) => {
        app.get('/page', hook('jwt') as never, (_req, res) => void res.send('secret'));
      },
      { logger: (error) => void logged.push(error) },
    );
    expect((await send(running.url, '/page')).status).toBe(500);
    expect(String(logged[0])).toContain(HOOK);
    await running.stop();
  });

  it('an error handler refuses options that there are not', () => {
    expect(() => errorHandler({ htm: false } as never)).toThrow("errorHandler() has no option 'htm'");
  });
});
