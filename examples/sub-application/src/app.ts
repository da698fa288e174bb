import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { createAdmin } from './admin.ts';
import { createV1 } from './v1.ts';
import { createV2 } from './v2.ts';

/** A person, as it is stored. */
export interface Person {
  id: number;
  firstName: string;
  lastName: string;
}

/** Where people are kept. No caller from outside reaches it: the versions of the API show it, each in its own form. */
export type People = MemoryService<Person, Omit<Person, 'id'>>;

/** One call that was made, as the outer application saw it. */
export interface LoggedCall {
  readonly path: string;
  readonly method: string;
  readonly provider: string | undefined;
}

/** The services of the whole application by path. Those of mounted applications have their prefix in front. */
export interface Services {
  people: People;
}

/**
 * The outer application: what all parts share, and the parts below their prefixes.
 *
 * @param adminKey what `/admin` asks for in the header `X-Admin-Key`
 * @param log is told of every call, also of those in mounted applications
 */
export function createApp(adminKey: string, log: (call: LoggedCall) => void): Application<Services> {
  const app = express(framework<Services>());
  app.use(json());
  app.configure(rest());
  const people: People = new MemoryService<Person, Omit<Person, 'id'>>({ startId: 1 });
  app.use('people', people, { methods: [] });
  // Hooks of the outer application run around the services of mounted ones too.
  app.hooks({
    around: {
      all: [
        async ({ path, method, params: { provider } }, next) => {
          await next();
          log({ path, method, provider });
        },
      ],
    },
  });
  const shared = (): People => app.service('people');
  app.use('/v1', createV1(shared));
  app.use('/v2', createV2(shared));
  app.use('/admin', createAdmin(adminKey, shared));
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  return app;
}
