// Packages that keep logins: express-session, passport.
import { expect, it } from '@jest/globals';
import { NotAuthenticated } from '@framework/errors';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { send, serve, use, type AnyMiddleware } from './harness.ts';

const settings = { secret: 'for tests', resave: false, saveUninitialized: false };

const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;

it('express-session keeps what middleware stores, and sets its cookie on a service’s answer', async () => {
  const { url } = await serve((app) => {
    use(app, session(settings));
    use(app, ((req, _res, next) => {
      req.session.views = ((req.session.views as number | undefined) ?? 0) + 1;
      req.framework = { ...req.framework, views: req.session.views };
      next();
    }) as AnyMiddleware);
  });
  const first = await send(`${url}/notes`);
  const cookie = cookieOf(first.headers);
  expect(cookie).toMatch(/^connect\.sid=/);
  expect(first.body).toMatchObject([{ views: 1 }]);
  await expect(send(`${url}/notes`, { headers: { cookie } })).resolves.toMatchObject({ body: [{ views: 2 }] });
});

class FailingStore extends session.MemoryStore {
  override set(_id: string, _session: session.SessionData, callback?: (error?: unknown) => void): void {
    setTimeout(() => callback?.(new Error('the store is down')), 5);
  }
}

it('express-session whose store fails: the answer comes, or an error, and the process goes on', async () => {
  const { url } = await serve((app) => {
    use(app, session({ ...settings, store: new FailingStore() }));
    use(app, ((req, _res, next) => {
      req.session.views = 1;
      next();
    }) as AnyMiddleware);
  });
  for (let n = 0; n < 2; n++) expect((await send(`${url}/notes/1`)).status).toBe(200);
});

it('passport logs in with its own route, and services know the user by the session', async () => {
  const users = new passport.Passport();
  users.use(
    new Strategy((username, password, done) => {
      done(null, password === 'right' ? { name: username } : false);
    }),
  );
  users.serializeUser((user, done) => done(null, (user as { name: string }).name));
  users.deserializeUser((name, done) => done(null, { name } as never));
  const { url } = await serve((app) => {
    use(app, session(settings));
    use(app, users.initialize() as AnyMiddleware, users.session() as AnyMiddleware);
    use(app, (_req, _res, next) => next());
    (app as unknown as { post: AnyMiddleware }).post(
      '/login',
      ((req, _res, next) => {
        req.body = { username: req.query.username, password: req.query.password };
        next();
      }) as AnyMiddleware,
      users.authenticate('local'),
      ((req, res) => res.json(req.user)) as AnyMiddleware,
    );
    use(app, '/notes', ((req, _res, next) => {
      if (!req.isAuthenticated()) {
        next(new NotAuthenticated('Log in first'));
        return;
      }
      req.framework = { ...req.framework, user: req.user };
      next();
    }) as AnyMiddleware);
  });
  await expect(send(`${url}/notes`)).resolves.toMatchObject({ status: 401, body: { message: 'Log in first' } });
  await expect(send(`${url}/login?username=ann&password=wrong`, { method: 'POST' })).resolves.toMatchObject({ status: 401 });
  const login = await send(`${url}/login?username=ann&password=right`, { method: 'POST' });
  expect(login).toMatchObject({ status: 200, body: { name: 'ann' } });
  await expect(send(`${url}/notes`, { headers: { cookie: cookieOf(login.headers) } })).resolves.toMatchObject({
    status: 200,
    body: [{ user: { name: 'ann' } }],
  });
});
