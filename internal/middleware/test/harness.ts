import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { framework } from '@framework/core';
import express, { errorHandler, json, notFound, rest, urlencoded, type Application } from '@framework/transport-express';

/** A running application. */
export interface Running {
  readonly app: Application;
  readonly url: string;
}

/** Middleware of any package: their types follow one version of Express, and the suite runs on two. */
export type AnyMiddleware = (...args: any[]) => unknown;

const open: Application[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close({ timeout: 500 })));
});

/** A service that a test looks at. */
export const notes = {
  async find(params: { query?: unknown; user?: unknown; views?: unknown }) {
    return [{ query: params.query, user: params.user, views: params.views }];
  },
  async get(id: unknown) {
    return { id, text: 'note '.repeat(50) };
  },
  async create(data: object) {
    return { id: 1, ...data };
  },
  async patch(id: unknown, data: object) {
    return { id, patched: data };
  },
};

/** What only slow requests and errors show. */
export const slow = {
  async get(id: unknown) {
    if (id === 'fails') throw new Error('secret');
    await new Promise((resolve) => setTimeout(resolve, 150));
    return { id };
  },
};

/**
 * An application as its documentation shows it: middleware, REST, services, the error handler; listening.
 *
 * @param front what stands in front
 * @param services adds services, or middleware around them. Default: `notes` and `slow`
 */
export async function serve(front: (app: Application) => void, services: (app: Application) => void = () => undefined): Promise<Running> {
  const app = express(framework()) as Application;
  front(app);
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  services(app);
  if (!('notes' in app.services)) app.use('notes', notes);
  app.use('slow', slow);
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0, '127.0.0.1');
  open.push(app);
  return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Puts middleware of a package in front. */
export function use(app: Application, ...middleware: (string | AnyMiddleware)[]): void {
  (app.use as (...args: unknown[]) => unknown)(...middleware);
}

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Parsed JSON of any shape.
  readonly body: any;
}

/** Sends a request that accepts JSON; an object becomes a JSON body. */
export async function send(url: string, options: RequestInit & { data?: object } = {}): Promise<Answer> {
  const { data, headers, ...rest } = options;
  const sent = data === undefined ? {} : { body: JSON.stringify(data), method: 'POST' };
  const response = await fetch(url, {
    ...sent,
    ...rest,
    headers: { accept: 'application/json', ...(data && { 'content-type': 'application/json' }), ...(headers as Record<string, string>) },
  });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}
