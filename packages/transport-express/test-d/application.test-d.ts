// Compiled by the type check, never run: what must and must not compile.
import type { Server } from 'node:http';
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { framework, type HookContext, type Id, type Paginated, type Params } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '../src/index.ts';

interface Message {
  id: number;
  text: string;
}

interface MessageQuery {
  text?: string | { $in?: string[] };
  $limit?: number;
  $sort?: { [K in keyof Message]?: 1 | -1 };
}

interface MessageParams extends Params<MessageQuery> {
  user?: { name: string };
}

declare class MessageService {
  find(params?: MessageParams): Promise<Paginated<Message>>;
  get(id: Id, params?: MessageParams): Promise<Message>;
  create(data: Omit<Message, 'id'>, params?: MessageParams): Promise<Message>;
  patch(id: Id, data: Partial<Omit<Message, 'id'>>, params?: MessageParams): Promise<Message>;
}

// Services are known after `use`, and stay known behind middleware and options.
const app = express(framework())
  .use(json())
  .configure(rest())
  .use('messages', new MessageService(), { methods: ['find', 'get'] });
const messages = app.service('messages');
export const page: Promise<Paginated<Message>> = messages.find({ query: { text: { $in: ['a'] }, $sort: { text: 1 } } });
export const one: Promise<Message> = messages.create({ text: 'a' });
export const server: Promise<Server> = app
  .use(notFound())
  .use(errorHandler({ html: false }))
  .listen(0, () => undefined);

// @ts-expect-error the record has no such property to sort by
void messages.find({ query: { $sort: { wrong: 1 } } });
// @ts-expect-error a direction is 1 or -1
void messages.find({ query: { $sort: { text: 2 } } });
// @ts-expect-error a filter with a value of another type
void messages.find({ query: { $limit: 'ten' } });
// @ts-expect-error a condition with a value of another type
void messages.find({ query: { text: 5 } });
// @ts-expect-error data of another type
void messages.create({ text: 5 });
// @ts-expect-error data with a property that the record does not have
void messages.patch(1, { wrong: true });
// @ts-expect-error no service has this path
app.service('unknown');
// @ts-expect-error the service has no such method
void messages.remove(1);
// @ts-expect-error the service has no such method
app.use('others', new MessageService(), { methods: ['finds'] });
// @ts-expect-error nor between middleware
app.use('others', json(), new MessageService(), { methods: ['finds'] }, json());
const between = app.use('others', json(), new MessageService(), { methods: ['find', 'get'] }, json());
// Clients see the methods of a service between middleware too.
type Others = NonNullable<NonNullable<(typeof between)['~services']>['others']['~registration']>;
export const seen: readonly ['find', 'get'] = null as unknown as Others['methods'];
// Options may stand behind the middleware, as with the incumbent.
const behind = app.use('others', json(), new MessageService(), json(), [json()], { methods: ['find', 'get'] });
type OthersBehind = NonNullable<NonNullable<(typeof behind)['~services']>['others']['~registration']>;
export const seenBehind: readonly ['find', 'get'] = null as unknown as OthersBehind['methods'];
// @ts-expect-error the service has no such method, said behind middleware
app.use('others', new MessageService(), json(), { methods: ['finds'] });
// @ts-expect-error a misspelt option behind middleware
app.use('others', new MessageService(), json(), { methods: ['find'], conditonal: true });
// @ts-expect-error one object of options
app.use('others', new MessageService(), { methods: ['find'] }, json(), { conditional: true });
app.use('others', new MessageService(), { methods: [] as (keyof MessageService)[] });
app.use('others', new MessageService(), { methods: [] as string[] });
// @ts-expect-error a list of methods is of names
app.use('others', new MessageService(), { methods: [1] });
// @ts-expect-error conditions are on, off or required
app.use('others', new MessageService(), { conditional: 'sometimes' });
// @ts-expect-error a misspelt option, beside one that there is
app.use('others', new MessageService(), { methods: ['find'], conditonal: true });
// @ts-expect-error between middleware too
app.use('others', json(), new MessageService(), { methods: ['find'], conditonal: true }, json());
// @ts-expect-error and in what an option is made of
app.use('others', json(), new MessageService(), { methods: ['find'], express: { befor: [] } });
// @ts-expect-error html is a function, an object or false
errorHandler({ html: 'page.html' });

messages.hooks({
  before: {
    create: [
      (context) => {
        const text: string = context.data.text;
        const name: string | undefined = context.params.user?.name;
        // @ts-expect-error data has no such property
        context.data.wrong = 1;
        // @ts-expect-error create has no id
        const id: number = context.id;
        // The application of a context is the wrapped one.
        const found: Promise<Message> = context.app.service('messages').get(1);
        return [text, name, id, found];
      },
    ],
  },
  after: { find: [(context) => void context.result?.data[0]?.text] },
});

declare const forOthers: (context: HookContext<typeof app, { get(id: Id): Promise<{ other: true }> }, 'get'>) => void;
// @ts-expect-error a hook for the context of another service
messages.hooks({ before: { get: [forOthers] } });

// A service among middleware keeps its type.
const among = express(framework()).use('messages', (_req, _res, next) => next(), new MessageService(), [(_req, res) => void res.data]);
export const amongst: Promise<Message> = among.service('messages').get(1);
// @ts-expect-error a text is no middleware
app.use('others', 'text', new MessageService());

messages.on('created', (message) => {
  const text: string = message.text;
  return text;
});

// Declared services and settings.
const declared = express(framework<{ messages: MessageService }, { port: number }>());
export const typed: Application<{ messages: MessageService }, { port: number }> = declared;
export const port: number = declared.get('port');
// @ts-expect-error a setting of another type
export const text: string = declared.get('port');
// @ts-expect-error another service than the declared one
declared.use('messages', { find: async () => [] });

// Middleware sees the properties of this package.
app.use((req, res, next) => {
  const provider: string | undefined = req.framework?.provider;
  const data: unknown = res.data;
  const path: string | undefined = res.hook?.path;
  // @ts-expect-error the provider is a text
  req.framework = { provider: 5 };
  next([provider, data, path]);
});

// It sees what an application adds to the parameters of calls, with its type, and anything else.
declare module '@framework/core' {
  interface Params {
    tenant?: { readonly city: string };
  }
}
app.use((req, _res, next) => {
  const city: string | undefined = req.framework?.tenant?.city;
  const other: unknown = req.framework?.another;
  req.framework = { ...req.framework, tenant: { city: 'Bern' }, another: other };
  // @ts-expect-error of another type
  req.framework.tenant = { city: 5 };
  next(city);
});

// Routes are typed as those of Express: parameters by the path, lists of paths, patterns, handlers of errors, other applications.
const typedHandler: RequestHandler<{ id: string }> = (req) => void req.params.id.trim();
const onError: ErrorRequestHandler = (error, _req, _res, next) => next(error);
const pass = (_req: Request, _res: Response, next: NextFunction): void => next();
app.get('/routes/:id', (req, res) => void res.json(req.params.id.trim()));
app.get('/routes/:id', typedHandler);
app.get(['/a', /b/], pass, onError, [pass, onError]);
app.get<{ id: string }, { known: boolean }, unknown, { q: string }>('/routes', (req, res) => void res.json({ known: req.query.q === '' }));
app.use('/routes/:id', (req, _res, next) => next(req.params.id.trim()));
app.use('/routes/:id', typedHandler);
app.use('/routes', async (req, res) => void res.status(200).json(req.headers.host));
app.use(['/a', /b/], pass, onError, [pass, onError]);
app.use('/routes', express.Router(), express());
app.use('/routes', pass, onError);
// @ts-expect-error the path has no such parameter
app.get('/routes/:id', (req) => void req.params.name.trim());
// @ts-expect-error an answer has no such method
app.use('/routes', (_req, res) => void res.jsom({}));
// @ts-expect-error nothing that could handle a request
app.get('/routes', 'text');
// They give the application, with its services.
export const chained: Promise<Message> = app
  .get('/a', pass)
  .post('/a', pass)
  .all('/b', pass)
  .disable('etag')
  .use('/a', pass)
  .service('messages')
  .get(1);

// What is wrong is reported where it stands: of the service, and not of the path.
declared.use(
  'messages',
  // @ts-expect-error another service than the declared one
  { find: async () => 5 },
);
express(framework()).use(
  'users',
  // @ts-expect-error a class, and not what it makes
  MessageService,
);
express(framework()).use(
  'users',
  // @ts-expect-error no service
  undefined,
);
express(framework()).use('users', new MessageService(), {
  // @ts-expect-error an unknown option
  method: ['find'],
});
// @ts-expect-error no such setting
declared.get('nope');
// A callback of `listen` may take the error.
void declared.listen(0, (error) => error?.message);

// In place of express.
const plain = express();
plain.set('env', 'test').use(express.Router(), express.static('.'), express.json());
export const prototypes: object[] = [express.request, express.response, express.application];
// @ts-expect-error nothing of this name in either
void express.unknownStatic;

// A setting that is declared has its type; those of Express, and others, are anything.
const configured = express(framework<{ messages: MessageService }, { port: number; name?: string }>());
export const withSettings = configured
  .set('port', 3030)
  .set('name', 'a')
  .set('trust proxy', 1)
  .set('query parser', (text: string) => ({ text }));
// @ts-expect-error get() would say that it is a number
configured.set('port', '3030');
// @ts-expect-error a variable of the environment is text, or nothing
configured.set('port', process.env.PORT);
declare const setting: string;
export const anySetting = configured.set(setting, 1);
