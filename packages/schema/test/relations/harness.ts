import type { AddressInfo } from 'node:net';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { request } from '@framework-internal/testing/supertest';
import { keywordObjectId, ObjectIdSchema } from '@framework/adapter-docdb';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import type { Ajv } from 'ajv';
import type { CommandStartedEvent, Document, ObjectId } from 'mongodb';
import { createAjv, Type, type TSchema } from '../../src/index.ts';

/** An application that listens, its database, and the commands that it sends. */
export interface Harness {
  readonly app: Application;
  readonly database: TestDatabase;
  readonly commands: Document[];
  readonly get: (path: string, headers?: Record<string, string>) => Promise<{ status: number; body: unknown; text: string }>;
  readonly post: (path: string, data: object, headers?: Record<string, string>) => Promise<{ status: number; body: unknown; text: string }>;
  readonly url: string;
  stop(): Promise<void>;
}

/** A validator that knows object ids. */
export function objectIdAjv(): Ajv {
  const ajv = createAjv();
  ajv.addKeyword(keywordObjectId);
  return ajv;
}

/** The id of a document. */
export const ID: TSchema & { static: ObjectId | string } = Type.Unsafe<ObjectId | string>(ObjectIdSchema());

/** @param register puts the services into the application, before it listens */
export async function start(register: (app: Application, database: TestDatabase) => unknown): Promise<Harness> {
  const database = await startDatabase({ monitorCommands: true });
  const commands: Document[] = [];
  database.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    // What the adapter asks of its server when it starts goes on beside the first requests.
    const isProbe = command[commandName] === 'framework.probe';
    if (!isProbe && ['find', 'insert', 'findAndModify', 'aggregate', 'delete', 'update'].includes(commandName)) commands.push(command);
  });
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  await register(app, database);
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0);
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    app,
    database,
    commands,
    url,
    get: async (path, headers = {}) =>
      request(url)
        .get(path)
        .set({ Accept: 'application/json', ...headers }),
    post: async (path, data, headers = {}) => request(url).post(path).set(headers).send(data),
    async stop() {
      await app.close({ timeout: 100 });
      await database.close();
    },
  };
}
