import { framework, type Id } from '@framework/core';
import express, { rest, type Application } from '@framework/transport-express';
import type { People, Person } from './app.ts';

/** A person, as the first version of the API has it. */
export interface PersonV1 {
  readonly id: number;
  readonly name: string;
}

const toV1 = ({ id, firstName, lastName }: Person): PersonV1 => ({ id, name: `${firstName} ${lastName}` });

/** People with one name. It can be read and not written any more. */
class PeopleV1 {
  readonly #people: () => People;

  constructor(people: () => People) {
    this.#people = people;
  }

  async find(): Promise<PersonV1[]> {
    return (await this.#people().find({ paginate: false })).map(toV1);
  }

  async get(id: Id): Promise<PersonV1> {
    return toV1(await this.#people().get(id));
  }
}

/** The first version of the API, which says in each answer that it ends. */
export function createV1(people: () => People): Application<{ people: PeopleV1 }> {
  const app = express(framework<{ people: PeopleV1 }>());
  // Middleware of this application is for its own paths alone.
  app.use((_req, res, next) => {
    res.set('Deprecation', '@1798761600');
    next();
  });
  app.configure(rest());
  app.use('people', new PeopleV1(people));
  return app;
}
