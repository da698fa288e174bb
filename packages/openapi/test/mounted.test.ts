import { framework, type HookContext, type NextFunction } from '@framework/core';
import { MemoryService } from '@framework/adapter-memory';
import { listen, send, type RunningApplication } from '@framework-internal/testing/http';
import express, { json, rest, Router } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';
import { afterEach, describe, expect, it } from '@jest/globals';
import { serviceSchema } from '@framework/schema';
import { openapi, openapiDocument, type DocumentOptions } from '../src/index.ts';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function run<A extends Parameters<typeof listen>[0]>(app: A): Promise<RunningApplication<A>> {
  const running = await listen(app);
  ended.push(running.stop);
  return running;
}

const application = () => express(framework()).use(json()).configure(rest());
const withNotes = () => application().use('notes', new MemoryService());

async function pathsOf(app: object, options: DocumentOptions = {}): Promise<string[]> {
  return Object.keys((await openapiDocument(app, { onWarning: () => undefined, ...options })).paths);
}

describe('an application that is mounted by Express', () => {
  it.each(['/v1', 'v1', '/v1/', '/a/b', '/%C3%A9'])('has its services in the document of the outer one, below %s', async (path) => {
    const outer = application();
    outer.use(path, withNotes());
    const at = path.replace(/^\/|\/$/g, '');
    expect(await pathsOf(outer)).toEqual([`/${at}/notes`, `/${at}/notes/{id}`]);
  });

  it.each(['/v1', '/Café menu'])('answers at the paths of the document: %s', async (at) => {
    const outer = application();
    outer.use(at, withNotes());
    outer.use('naïve', new MemoryService());
    const paths = (await pathsOf(outer)).filter((path) => !path.includes('{'));
    const { url } = await run(outer);
    expect(await Promise.all(paths.map(async (path) => (await send(url, path)).status))).toEqual([200, 200]);
    expect(paths).toContain('/na%C3%AFve');
  });

  const SEVERAL: Readonly<Record<string, (outer: ReturnType<typeof application>, inner: ReturnType<typeof application>) => void>> = {
    'a list of paths': (outer, inner) => void outer.use(['/v1', '/v2'] as never, inner as never),
    'one path after the other': (outer, inner) => void outer.use('/v1', inner).use('/v2', inner),
    routers: (outer, inner) => {
      const router = Router();
      router.use('/', inner);
      outer.use('/v1', router).use('/v2', router);
    },
    'plain applications': (outer, inner) => {
      const plain = express();
      plain.use(inner as never);
      outer.use('/v1', plain as never).use('/v2', plain as never);
    },
  };

  it.each(Object.keys(SEVERAL))('has its services at each of several paths: %s', async (how) => {
    const [outer, inner] = [application(), withNotes()];
    SEVERAL[how]?.(outer, inner);
    const guarded: string[] = [];
    outer.hooks({ around: { all: [async (context: HookContext, next: NextFunction) => (guarded.push(context.path), next())] } });
    const { url } = await run(outer);
    const paths = await pathsOf(outer);
    expect(paths).toEqual(['/v1/notes', '/v1/notes/{id}', '/v2/notes', '/v2/notes/{id}']);
    // The audit reads these.
    expect(Object.keys(outer.services).sort()).toEqual(['v1/notes', 'v2/notes']);
    for (const path of ['/v1/notes', '/v2/notes', '/v2/notes']) expect((await send(url, path)).status).toBe(200);
    // Hooks of the outer one run once for each call.
    expect(guarded).toHaveLength(3);
  });

  it('taken out of one of its paths is left at the other', async () => {
    const [outer, inner] = [application(), withNotes()];
    outer.use('/v1', inner).use('/v2', inner);
    await outer.unuse('/v1');
    expect(await pathsOf(outer)).toEqual(['/v2/notes', '/v2/notes/{id}']);
    const { url } = await run(outer);
    expect([(await send(url, '/v1/notes')).status, (await send(url, '/v2/notes')).status]).toEqual([404, 200]);
    outer.use(['/v3', '/v4'] as never, inner as never);
    await expect(outer.unuse('/v3')).rejects.toThrow("'/v3' and 'v4' were mounted by one app.use");
  });

  it('has services there that it has got later', async () => {
    const outer = application();
    const inner = application();
    outer.use('/v1', inner);
    inner.use('notes', new MemoryService());
    expect(await pathsOf(outer)).toEqual(['/v1/notes', '/v1/notes/{id}']);
  });

  it('has those of applications that are mounted in it', async () => {
    const [outer, middle] = [application(), application()];
    middle.use('/v1', withNotes());
    outer.use('/api', middle);
    expect(await pathsOf(outer)).toEqual(['/api/v1/notes', '/api/v1/notes/{id}']);
  });

  it('has services of applications without transports that are mounted in it', async () => {
    const [outer, inner] = [application(), application()];
    const core = framework();
    core.use('notes', new MemoryService());
    inner.use('v1', core);
    outer.use('/api', inner);
    expect(await pathsOf(outer)).toEqual(['/api/v1/notes', '/api/v1/notes/{id}']);
  });

  it('has services at its root', async () => {
    const outer = application();
    outer.use('/', withNotes());
    expect(await pathsOf(outer)).toEqual(['/notes', '/notes/{id}']);
  });

  it('has custom methods at paths of their own where its own transport has them', async () => {
    class Counting extends MemoryService {
      async count(): Promise<number> {
        return 1;
      }
    }
    const outer = application();
    const inner = express(framework())
      .use(json())
      .configure(rest({ methodPaths: true }));
    inner.use('notes', new Counting(), { methods: ['find', 'count'] });
    outer.use('/v1', inner);
    expect(await pathsOf(outer)).toEqual(['/v1/notes', '/v1/notes/count']);
  });

  it('has its stream of events in the document of the outer one', async () => {
    const outer = application();
    outer.use('/v1', application().configure(sse()));
    expect(await pathsOf(outer)).toEqual(['/v1/events']);
  });

  it('describes itself at its own paths', async () => {
    const outer = application();
    const inner = withNotes();
    outer.use('/v1', inner);
    expect(await pathsOf(inner)).toEqual(['/notes', '/notes/{id}']);
  });

  it.each(['/v1', '/'])('names as its server where it lies: %s', async (path) => {
    const outer = application();
    const inner = withNotes();
    outer.use(path, inner);
    expect((await openapiDocument(inner, { onWarning: () => undefined })).servers).toEqual([{ url: path }]);
  });

  it.each(['/v1', '/'])('keeps what it is configured with to itself: at %s', async (path) => {
    const admin = ({ user }: { user?: { role: string } }): boolean => user?.role === 'admin';
    const pay = { type: 'integer', readable: admin };
    const schema = serviceSchema({ record: { type: 'object', properties: { id: { type: 'integer' }, pay } } });
    const info = { title: 'Inner', version: '2.0.0' };
    const inner = application().configure(openapi({ info, version: '3.2', viewer: { user: { role: 'admin' } }, path: 'inner.json' }));
    const outer = application();
    outer.use(path, inner);
    outer.use('people', new MemoryService(), { schema });
    const before = await openapiDocument(outer);
    expect([before.info.title, before.openapi, JSON.stringify(before).includes('pay')]).toEqual(['API', '3.1.1', false]);
    outer.configure(openapi({ info: { title: 'Outer', version: '1.0.0' } }));
    const after = await openapiDocument(outer);
    expect([after.info.title, after.openapi, JSON.stringify(after).includes('pay')]).toEqual(['Outer', '3.1.1', false]);
    expect((await openapiDocument(inner)).info).toEqual(info);
  });

  it('names the servers that its author names', async () => {
    const servers = [{ url: 'https://api.example.com' }];
    const inner = withNotes();
    application().use('/v1', inner);
    expect((await openapiDocument(inner, { servers, onWarning: () => undefined })).servers).toEqual(servers);
  });
});
