import { createHash, timingSafeEqual } from 'node:crypto';
import { framework, guard, type HookContext } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import express, { rest, type Application } from '@framework/transport-express';
import type { People } from './app.ts';

/** How many people there are. */
class CountsService {
  readonly #people: () => People;

  constructor(people: () => People) {
    this.#people = people;
  }

  async find(): Promise<{ people: number }> {
    return { people: (await this.#people().find({ paginate: false })).length };
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What only those may use who have the key: one guard for all services of this application, also for those that come later. */
export function createAdmin(key: string, people: () => People): Application<{ counts: CountsService }> {
  const app = express(framework<{ counts: CountsService }>());
  app.configure(rest());
  const hasKey = guard(({ params }: HookContext): void => {
    const { 'x-admin-key': given } = params.headers ?? {};
    if (params.provider !== undefined && !timingSafeEqual(digest(String(given)), digest(key))) throw new NotAuthenticated('Not your place');
  });
  app.hooks({ before: { all: [hasKey] } });
  app.use('counts', new CountsService(people));
  return app;
}
