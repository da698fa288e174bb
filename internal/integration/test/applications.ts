import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { listen, type Running } from './harness.ts';

/** Applications over REST and a database, for the tests of a file. */
export interface Applications {
  readonly database: TestDatabase;
  /** Starts one, until the test is over. */
  start(build: (app: Application) => void): Promise<Running>;
  /** Starts one with the service `people`. */
  startPeople(service: object, schema: object | undefined): Promise<Running>;
}

/** To be called where a file of tests begins. */
export function applications(): Applications {
  let database: TestDatabase;
  const running: Running[] = [];
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterEach(async () => {
    for (const { stop } of running.splice(0)) await stop();
    await database.db.collection('people').deleteMany({});
  });
  afterAll(() => database.close());

  const start = async (build: (app: Application) => void): Promise<Running> => {
    const app = express(framework()) as Application;
    app.use(json()).configure(rest());
    build(app);
    app.use(errorHandler({ logger: false }));
    const started = await listen(app);
    running.push(started);
    return started;
  };
  return {
    get database() {
      return database;
    },
    start,
    startPeople: (service, schema) =>
      start((app) => {
        app.use('people', service as never, (schema === undefined ? {} : { schema }) as never);
      }),
  };
}
