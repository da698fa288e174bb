import { framework, type HookContext, type Id } from '@framework/core';
import { BadRequest } from '@framework/errors';
import express, { rest, type Application } from '@framework/transport-express';
import type { People, Person } from './app.ts';

/** People with two names. */
class PeopleV2 {
  readonly #people: () => People;

  constructor(people: () => People) {
    this.#people = people;
  }

  async find(): Promise<Person[]> {
    return this.#people().find({ paginate: false });
  }

  async get(id: Id): Promise<Person> {
    return this.#people().get(id);
  }

  async create({ firstName, lastName }: Omit<Person, 'id'>): Promise<Person> {
    return this.#people().create({ firstName, lastName });
  }
}

/** Hooks of a mounted application are for its own services. */
function checkNames({ data }: HookContext<unknown, PeopleV2, 'create'>): void {
  const { firstName, lastName }: { firstName?: unknown; lastName?: unknown } = data;
  if (typeof firstName !== 'string' || typeof lastName !== 'string') throw new BadRequest('A person has a firstName and a lastName');
}

/** The second version of the API. */
export function createV2(people: () => People): Application<{ people: PeopleV2 }> {
  const app = express(framework<{ people: PeopleV2 }>());
  app.configure(rest());
  app.use('people', new PeopleV2(people));
  app.service('people').hooks({ before: { create: [checkNames] } });
  return app;
}
