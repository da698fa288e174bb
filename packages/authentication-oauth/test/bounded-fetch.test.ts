import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { boundedFetch, ProviderFault } from '../src/provider/bounded-fetch.ts';

const ADDRESS = 'https://id.example.com/token';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Lets the time of the next request end when it is called. */
function timeOver(): () => void {
  const controller = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  return () => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  };
}

it('O11 nothing is asked without HTTPS, but of this machine', async () => {
  const asked: string[] = [];
  const send = boundedFetch(async (url) => {
    asked.push(url);
    return Promise.resolve(new Response('{}'));
  });
  for (const url of ['http://id.example.com/token', 'ftp://localhost/token', 'http://localhost.example.com/']) {
    await expect(send(url, {})).rejects.toEqual(new ProviderFault('The provider named an address without HTTPS'));
  }
  for (const url of [ADDRESS, 'http://localhost:1/token', 'http://127.0.0.1:1/token', 'http://[::1]:1/token']) await send(url, {});
  expect(asked).toEqual([ADDRESS, 'http://localhost:1/token', 'http://127.0.0.1:1/token', 'http://[::1]:1/token']);
});

describe('O11 a fetch of one’s own that knows no time', () => {
  it('is waited for no longer than one that does, for its answer', async () => {
    const over = timeOver();
    const asked = boundedFetch(() => new Promise(() => undefined))(ADDRESS, {});
    over();
    await expect(asked).rejects.toEqual(new ProviderFault('The provider did not answer in time'));
  });

  it('is waited for no longer than one that does, for the rest of its answer', async () => {
    const over = timeOver();
    const endless = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('{'));
      },
    });
    const asked = boundedFetch(async () => Promise.resolve(new Response(endless)))(ADDRESS, {});
    setImmediate(over);
    await expect(asked).rejects.toEqual(new ProviderFault('The provider did not answer in time'));
  });

  it('is a provider that can not be reached where it throws', async () => {
    const broken = (): never => {
      throw new TypeError('no proxy');
    };
    await expect(boundedFetch(broken)(ADDRESS, {})).rejects.toEqual(new ProviderFault('The provider can not be reached'));
  });

  it('ends with whoever asks', async () => {
    const controller = new AbortController();
    const asked = boundedFetch(() => new Promise(() => undefined))(ADDRESS, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toBeInstanceOf(ProviderFault);
  });
});

it.each([205, 204])('an answer of %s has no content', async (status) => {
  const answer = await boundedFetch(async () => Promise.resolve(new Response(null, { status })))(ADDRESS, {});
  expect([answer.status, await answer.text()]).toEqual([status, '']);
});
