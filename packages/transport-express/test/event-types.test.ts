import { framework } from '@framework/core';
import { expect, it } from '@jest/globals';
import express from '../src/index.ts';

interface Member {
  readonly user: { readonly name: string };
}

it('listeners for connections know what a connection is, and may say more of it, or less', () => {
  const app = express(framework());
  const seen: unknown[] = [];
  for (const event of ['connection', 'disconnect'] as const) {
    app.on(event, (connection) => {
      const known: Record<string, unknown> = connection;
      seen.push(known.user);
      // @ts-expect-error -- what an application puts there is of a type that it says itself
      seen.push(connection.user.name);
    });
    app.on(event, (connection: Member) => seen.push(connection.user.name));
    app.once(event, (connection: object) => seen.push('user' in connection));
    app.once(event, async () => Promise.resolve());
  }
  app.on('another', (...args: number[]) => seen.push(args));
  app.emit('connection', { user: { name: 'Ann' } });
  app.emit('another', 1, 2);
  expect(seen).toEqual([{ name: 'Ann' }, 'Ann', 'Ann', true, [1, 2]]);
});
