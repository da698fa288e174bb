// Compiled by the type check, never run: what must and must not compile.
import { framework, type HookContext, type Id, type Paginated, type Params, type ServiceWith } from '../src/index.ts';

interface Message {
  id: number;
  text: string;
}

interface MessageParams extends Params<{ text?: string; $sort?: { [K in keyof Message]?: 1 | -1 } }> {
  user?: { name: string };
}

declare class MessageService {
  find(params?: MessageParams): Promise<Paginated<Message>>;
  get(id: Id, params?: MessageParams): Promise<Message>;
  create(data: Omit<Message, 'id'>, params?: MessageParams): Promise<Message>;
  shout(data: { loud: boolean }, params?: Params): Promise<string>;
}

const app = framework().use('messages', new MessageService());
const messages = app.service('messages');

export const found: Promise<Paginated<Message>> = messages.find({ query: { $sort: { text: 1 } } });
export const made: Promise<Message> = messages.create({ text: 'a' });

// @ts-expect-error a property that the record does not have
void messages.find({ query: { $sort: { wrong: 1 } } });
// @ts-expect-error data of the wrong type
void messages.create({ text: 5 });
// @ts-expect-error a path without a service
app.service('unknown');
// @ts-expect-error the result is a page
export const list: Promise<Message[]> = messages.find();

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
        return { text, name, id };
      },
    ],
    get: [
      (context) => {
        const id: Id = context.id;
        const method: 'get' = context.method;
        [id, method];
      },
    ],
    shout: [(context) => void context.data.loud],
    // @ts-expect-error the service has no such method
    wrong: [],
  },
  after: { get: [(context) => void context.result?.text] },
});

messages.on('created', (record, context) => {
  const text: string = record.text;
  const path: string = context.path;
  [text, path];
});
// An event with other data than records: the listener says what it is. Others know the record.
messages.on('archived', ({ by }: { by: string }, context) => [by, context.path]);
messages.off('archived', ({ by }: { by: string }) => by);
// @ts-expect-error the record has no such property
messages.once('created', (record) => record.nothing);
// @ts-expect-error what comes with an event of the service's own is no record
messages.on('archived', (data) => data.text);

// An event has what its method gives, one of them where that is a list.
declare class JobService {
  get(id: Id): Promise<{ id: number; state: string }>;
  create(data: { task: string } | { task: string }[]): Promise<{ queued: Date } | { queued: Date }[]>;
  patch(id: Id | null, data: object): Promise<{ changed: number } | { changed: number }[]>;
}
const jobs = framework().use('jobs', new JobService()).service('jobs');
jobs.on('created', ({ queued }) => queued.getTime()).once('patched', ({ changed }) => changed.toFixed());
jobs.on('removed', ({ state }) => state.trim());
// @ts-expect-error what is created is no record here
jobs.on('created', ({ state }) => state);
// @ts-expect-error nor is what a patch gives
jobs.off('patched', ({ state }) => state);

// A hook for any service may be used on a certain one.
const general = (context: HookContext): void => void context.params.query;
messages.hooks({ before: { all: [general], create: general } });

// Methods for transports are those that the service has; lists that are not known name by name are taken.
framework().use('messages', new MessageService(), { methods: ['find', 'shout'] });
framework().use('messages', new MessageService(), { methods: ['find', 'shout'] as const });
framework().use('messages', new MessageService(), { methods: [] as string[] });
framework().use('messages', new MessageService(), { methods: [] as (keyof MessageService)[] });
framework().use('messages', new MessageService() as object, { methods: ['find'] });
framework<{ messages: MessageService }>().use('messages', new MessageService(), { methods: ['get'], events: ['archived'] });
// @ts-expect-error the service has no such method
framework().use('messages', new MessageService(), { methods: ['find', 'finds'] });
// @ts-expect-error nor a declared one
framework<{ messages: MessageService }>().use('messages', new MessageService(), { methods: ['finds'] });
export type Readable = ServiceWith<MessageService, { methods: ['find', 'get'] }>;
export type Described = ServiceWith<MessageService, { schema: object }>;
// @ts-expect-error the service has no such method
export type Misspelt = ServiceWith<MessageService, { methods: ['finds'] }>;

const declared = framework<{ messages: MessageService }>();
export const typed: Promise<Message> = declared.service('messages').get(1);
// @ts-expect-error another service than the declared one
declared.use('messages', { find: async () => [] });
// @ts-expect-error a path that is not declared
declared.service('users');

// Without declared services any path may be asked for; results are not known.
export const loose: Promise<unknown> = framework().service('anything').find();

const settings = framework<{ messages: MessageService }, { port: number }>();
export const port: number = settings.get('port');
// @ts-expect-error a setting of another type
settings.set('port', 'text');

// Outer slashes make no difference; the services of a mounted application lie below its path.
export const slashes: Promise<Message> = framework().use('/messages/', new MessageService()).service('messages').get(1);
export const slashed: Promise<Message> = app.service('/messages').get(1);
const mounted = framework().use('/api/v1', app);
export const below: Promise<Message> = mounted.service('api/v1/messages').get(1);
// @ts-expect-error the mounted application's own path is no service
mounted.service('api/v1');

// A method may be called in several ways: hooks and listeners get any of them, of whichever is declared last.
declare class PrintService {
  find(params: MessageParams & { paginate: false }): Promise<Message[]>;
  find(params?: MessageParams): Promise<Paginated<Message>>;
  get(id: Id, params?: MessageParams): Promise<Message>;
  create(data: { pages: number }[], params?: Params): Promise<{ job: number }[]>;
  create(data: { pages: number }, params?: Params): Promise<{ job: number }>;
  create(data: { file: Uint8Array }, params?: Params): Promise<{ name: string }>;
  stop(data: { job: number }, params?: Params): Promise<number>;
  stop(data: { name: string }, params?: MessageParams): Promise<string>;
}
const prints = framework()
  .use('prints', new PrintService(), { methods: ['find', 'create', 'stop'] })
  .service('prints');
type Print = { pages: number } | { file: Uint8Array };
prints.hooks({
  before: {
    create: [(context) => ((given: Print | Print[]) => given)(context.data)],
    stop: [(context) => ((given: { job: number } | { name: string }) => given)(context.data)],
  },
});
prints.hooks({
  before: {
    create: [
      // @ts-expect-error it may be a list, or a file
      (context) => context.data.pages,
      // @ts-expect-error it may be what has pages
      (context) => context.data.file,
    ],
    stop: [
      // @ts-expect-error it may be a job
      (context) => context.data.name,
    ],
    find: [(context) => ((user: string | undefined) => user)(context.params.user?.name)],
  },
  after: {
    // @ts-expect-error without pages it is a list
    find: [(context) => context.result?.total],
    stop: [(context) => ((result: string | number | undefined) => result)(context.result)],
  },
});
prints.on('created', (made) => ('job' in made ? made.job : made.name));
// @ts-expect-error it may be a job
prints.on('created', ({ name }) => name);

// Hooks are for the methods that callers have, where the registration names them.
declare class ShelfService {
  find(params?: Params): Promise<Message[]>;
  create(data: { text: string }, params?: Params): Promise<Message>;
  sort(data: { by: 'text' }, params?: Params): Promise<number>;
  weigh(kilos: number): number;
}
const shelf = framework()
  .use('shelf', new ShelfService(), { methods: ['find', 'sort'] })
  .service('shelf');
shelf.hooks({
  before: {
    find: [],
    create: [],
    sort: [],
    all: [(context) => ((data: { text: string } | { by: 'text' } | undefined) => data)(context.data)],
  },
});
shelf.hooks({ sort: [async (_context, next) => next()] });
// @ts-expect-error not among the option 'methods'
shelf.hooks({ before: { weigh: [] } });
// @ts-expect-error around it neither
shelf.hooks({ weigh: [] });

// What comes with the events of the framework is not for listeners to say.
declare const anyEvent: string;
declare const someEvent: 'created' | 'removed';
messages.on('created', (record: Message) => record.id);
messages.on('created', ({ text }: { text: string }) => text);
messages.on(anyEvent, (data: { by: string }) => data.by);
messages.on(someEvent, ({ text }) => text).once('archived', (data: Date) => data.getTime());
// @ts-expect-error the record has no such property
messages.on('created', (record: { wrong: string }) => record.wrong);
// @ts-expect-error the record's text is text
messages.once('patched', (record: { text: number }) => record.text);
// @ts-expect-error of several events neither
messages.addListener(someEvent, (record: { wrong: string }) => record.wrong);
// @ts-expect-error a listener that is taken away has been one
messages.off('removed', (record: Date) => record.getTime());
// @ts-expect-error by its other name too
messages.removeListener('removed', (record: Date) => record.getTime());

// Hooks for all methods, and for several, know of the method what its call has.
const letters = framework()
  .use('letters', new LetterService(), { methods: ['find', 'get', 'create', 'patch', 'send'] })
  .service('letters');
declare class LetterService {
  find(params?: MessageParams): Promise<Paginated<Message>>;
  get(id: Id, params?: Params): Promise<Message>;
  create(data: { text: string }, params?: MessageParams): Promise<Message>;
  patch(id: Id | null, data: { text?: string }, params?: Params): Promise<Message | Message[]>;
  send(data: { to: string }, params?: Params): Promise<{ sent: boolean }>;
}
letters.hooks({
  before: {
    all: [
      (context) => {
        switch (context.method) {
          case 'create':
            // @ts-expect-error create has no id
            context.id.toString();
            return context.data.text.trim() + (context.params.user?.name ?? '');
          case 'patch':
            // @ts-expect-error a patch need not change it
            context.data.text.trim();
            return context.id === null ? 'all' : context.id.toString();
          case 'get':
            // @ts-expect-error get has no data
            context.data.text.trim();
            return context.id.toString();
          case 'find':
            return context.params.query?.text?.trim();
          default:
            return context.data.to.trim();
        }
      },
      async ({ method, data }) => (method === 'send' ? data.to : undefined),
      // What is the same for all can be set without asking.
      (context) => {
        context.params = { ...context.params, provider: undefined };
      },
      (context: HookContext) => context.path,
      (context: HookContext<unknown, LetterService>) => context.id,
    ],
  },
  after: { all: [(context) => (context.method === 'find' ? context.result?.total : context.method === 'send' && context.result?.sent)] },
});
letters.hooks([async (context, next) => (context.method === 'send' ? void context.data.to : next())]);
const changing = (context: HookContext<unknown, LetterService, 'create'> | HookContext<unknown, LetterService, 'patch'>): string =>
  context.method === 'create' ? context.data.text : (context.data.text ?? '');
letters.hooks({ before: { create: [changing], patch: [changing] } });

// What a class has besides may be no method of callers: all that is known of its calls is that they are no others.
const unnamed = framework().use('letters', new LetterService()).service('letters');
unnamed.hooks({
  before: {
    all: [
      (context) => {
        if (context.method === 'create') return context.data.text.trim();
        if (context.method !== 'send') return context.id;
        const given: { to: string } | { text?: string } | undefined = context.data;
        // @ts-expect-error it may be what any other takes
        context.data?.to.trim();
        return given;
      },
    ],
  },
});

// What is not declared may be registered, and is not known.
framework<{ letters: LetterService }>().use('sessions', { find: async () => [] });
