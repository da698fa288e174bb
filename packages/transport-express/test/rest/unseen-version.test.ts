import { checkPrecondition, getRules, type Params } from '@framework/core';
import { Conflict } from '@framework/errors';
import { afterEach, expect, it, jest } from '@jest/globals';
import { send, sendJson, start, type Running } from '../harness.ts';

let running: Running | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await running?.stop();
});

/** One record with a version. */
class Notes {
  readonly version = 'rev';
  #note = { id: '1', text: 'first', rev: 1 };

  async get(): Promise<object> {
    return { ...this.#note };
  }

  async patch(_id: string, data: object, { precondition }: Params = {}): Promise<object> {
    checkPrecondition(precondition, this.#note, this.version);
    this.#note = { ...this.#note, ...data, rev: this.#note.rev + 1 };
    return { ...this.#note };
  }
}

it('a write with the ETag of a record whose version its caller does not see is refused for that, and not as if the record had changed', async () => {
  const at = await start((app) => {
    app.use('notes', new Notes(), { conditional: true });
    getRules(app.service('notes'))?.add({ hidden: ['rev'] });
  });
  running = at;
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const { etag = '' } = (await send(at.url, '/notes/1')).headers;
  const { status, body } = await sendJson(at.url, 'PATCH', '/notes/1', { text: 'second' }, { 'if-match': etag });
  expect([status, body]).toEqual([
    412,
    expect.objectContaining({
      message: 'You do not see the versions of these records: their ETag tells whether one has changed, and is none for If-Match',
    }),
  ]);
  expect(warn.mock.calls).toEqual([
    [
      "A write to 'notes' came with an ETag and is 412, as each one is: its caller does not see 'rev', so that the tag has no version in it. Show 'rev' to whoever may write",
      { code: 'VERSION_UNSEEN' },
    ],
  ]);
});

it('a write with the ETag of a record that has no version yet is refused once the record has changed', async () => {
  const at = await start((app) => {
    app.use('notes', new Notes(), { conditional: true });
  });
  running = at;
  const ofNone = '".2jmj7l5rSw0yVb_vlWAYkK"';
  const { status, body } = await sendJson(at.url, 'PATCH', '/notes/1', { text: 'second' }, { 'if-match': ofNone });
  expect([status, body]).toEqual([412, expect.objectContaining({ message: expect.stringContaining('has changed since it was read') })]);
});

it.each(['before', 'after', 'error'])('S47 a %s hook that takes params away leaves the caller an answer', async (type) => {
  const at = await start((app) => {
    app.use('notes', {
      async get(id: string) {
        if (type === 'error') throw new Conflict(`of ${id}`);
        return { id };
      },
    });
    const taking = (context: { params?: unknown }): void => {
      context.params = undefined;
    };
    const failing = (): void => {
      throw new Conflict('behind it');
    };
    app.service('notes').hooks({ [type]: { get: [taking, failing] } } as never);
  });
  running = at;
  // Nobody answered, and the test would wait too.
  const answer = await fetch(`${at.url}/notes/1`, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(5000) });
  expect([answer.status, await answer.json()]).toEqual([409, expect.objectContaining({ message: 'behind it' })]);
});
