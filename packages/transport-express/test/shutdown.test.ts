import http from 'node:http';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import express, { rest, type Application } from '../src/index.ts';
import { listen, send } from './harness.ts';

function build(find: () => Promise<unknown>, log: string[] = []): Application {
  const app = express(framework()) as Application;
  app.configure(rest());
  app.use('x', {
    find,
    async teardown() {
      log.push('teardown');
    },
  });
  return app;
}

describe('S44 shutdown', () => {
  it('answers what is in flight, tears services down, and accepts nothing new', async () => {
    const log: string[] = [];
    const running = await listen(
      build(async () => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        log.push('answered');
        return [1];
      }, log),
    );
    const slow = send(running.url, '/x');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closing = running.app.close();
    await expect(slow).resolves.toMatchObject({ status: 200, body: [1] });
    await closing;
    expect(log).toEqual(['answered', 'teardown']);
    await expect(send(running.url, '/x')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('cuts what takes longer than the time limit', async () => {
    const running = await listen(build(() => new Promise(() => undefined)));
    const never = send(running.url, '/x');
    never.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = Date.now();
    await running.app.close({ timeout: 200 });
    expect(Date.now() - started).toBeLessThan(1000);
    await expect(never).rejects.toThrow();
  });

  it('leaves no accepted request of 64 kept-alive connections without an answer', async () => {
    const running = await listen(build(async () => [1]));
    const { port } = new URL(running.url);
    let answered = 0;
    let refused = 0;
    const lost: unknown[] = [];
    const client = async (): Promise<void> => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let n = 0; n < 160 && refused < 10_000; n++) {
        const outcome = await new Promise<unknown>((resolve) => {
          const request = http.get({ port, host: '127.0.0.1', path: '/x', agent }, (response) => {
            response
              .resume()
              .on('end', () => {
                resolve(response.statusCode);
              })
              .on('error', resolve);
          });
          request.on('error', resolve);
        });
        if (outcome === 200) answered += 1;
        else if ((outcome as { code?: string }).code === 'ECONNREFUSED') {
          refused += 1;
          break;
        } else lost.push(outcome);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 64 }, client);
    while (answered < 3000) await new Promise((resolve) => setTimeout(resolve, 5));
    await running.app.close();
    await Promise.all(clients);
    expect(lost).toEqual([]);
    expect(answered).toBeGreaterThanOrEqual(3000);
    expect(refused).toBe(64);
  }, 60_000);

  it('has time limits for headers and requests', async () => {
    const running = await listen(build(async () => []));
    expect(running.app.server).toMatchObject({ headersTimeout: 20_000, requestTimeout: 60_000 });
    await running.stop();
  });
});
