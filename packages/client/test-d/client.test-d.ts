// Compiled by the type check, never run: what must and must not compile of a client. Each `ok` is a positive case, each `@ts-expect-error` a negative one.
import { createClient, pages, records, rest, socketio, sse, type Client, type ClientTypes, type Page } from '../src/index.ts';
import { findOptions, getOptions } from '../src/query/index.ts';
import type { app, declared, Declared } from './server.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = { [K in keyof T]: T[K] };
declare function ok<T>(value: T): void;

const client = createClient<typeof app>(rest('https://api.example.com'));
const users = client.service('users');
const posts = client.service('posts');
const plain = client.service('plain');

// Paths.
ok<Client<ClientTypes<typeof app>>>(client);
ok(client.service('/users'));
ok(client.service('api/v1/inner').get(1));
ok(client.service('users/:userId/logs').find({ route: { userId: 5 } }));
ok(client.service('users/:userId/logs').find({ route: { userId: 'a' }, query: {} }));
// @ts-expect-error no service has this path
void client.service('nobody');
// @ts-expect-error the path of a mounted application is none of a service
void client.service('api/v1');
// @ts-expect-error a path with a placeholder needs its value
void client.service('users/:userId/logs').find();
// @ts-expect-error another placeholder
void client.service('users/:userId/logs').find({ route: { id: 5 } });
// @ts-expect-error a value that is no id
void client.service('users/:userId/logs').find({ route: { userId: true } });
// @ts-expect-error a path without placeholders takes no values
void client.service('logs').find({ route: { userId: 5 } });
// @ts-expect-error a path is a text
void client.service(5);

// Methods: those that callers from outside have.
ok(users.find());
ok(users.get(1));
ok(users.create({ email: 'a', password: 'b', salary: 1, team: 'c', address: { city: 'd' } }));
ok<Promise<{ line: string }[]>>(client.service('logs').find());
ok<Promise<'pong'>>(posts.ping());
ok<Promise<{ at: string }>>(posts.publish({ id: 1 }));
ok(posts.publish({ id: 1, at: new Date() }, { signal: AbortSignal.timeout(5) }));
ok(posts.publish({ id: 1, at: '2026-01-01' }));
// @ts-expect-error not among the option 'methods'
void users.update(1, {});
// @ts-expect-error not among the option 'methods'
void users.remove(1);
// @ts-expect-error not among the option 'methods', though the service has it
void posts.secret({});
// @ts-expect-error the service has no such method
void client.service('logs').get(1);
// @ts-expect-error the service has no such method
void client.service('logs').create({});
// @ts-expect-error the service has no such method
void plain.update(1, {});
// @ts-expect-error a method of the server's own
void plain.setup();
// @ts-expect-error data of another type
void posts.publish({ id: true });
// @ts-expect-error data that is missing
void posts.publish();
// @ts-expect-error the result has another type
ok<Promise<number>>(posts.ping());

// Records are as they arrive.
const user = await users.get(1);
ok<number>(user.id);
ok<string>(user.email);
ok<number | undefined>(user.salary);
ok<string | undefined>(user.born);
ok<string>(user.team);
ok<string>(user.address.city);
// @ts-expect-error never sent to callers
void user.password;
// @ts-expect-error hidden from all callers
void user.token;
// @ts-expect-error hidden inside
void user.address.secret;
// @ts-expect-error not every caller sees it
ok<number>(user.salary);
// @ts-expect-error a date is text on its way
ok<Date | undefined>(user.born);
// @ts-expect-error an id is text on its way
void user.team.toHexString();
// @ts-expect-error no such property
void user.name;
const one = await plain.get(1);
ok<string>(one._id);
ok<string>(one.when);
ok<string>(one.nested.at);
ok<string | undefined>(one.nested.list[0]?.at);
ok<[string, number]>(one.nested.tuple);
ok<string | undefined>(one.maybe);
ok<unknown>(one.any);
ok<{ a: number }>(one.custom);
ok<true>(true satisfies Same<keyof typeof one, '_id' | 'when' | 'nested' | 'maybe' | 'map' | 'set' | 'any' | 'custom'>);
// Maps and sets are empty in JSON.
ok<true>(true satisfies Same<typeof one.map, Record<never, never>>);
ok<true>(true satisfies Same<typeof one.set, Record<never, never> | undefined>);
// @ts-expect-error nothing of a map is sent
void one.map.size;
// @ts-expect-error a function is not sent
one.run();
// @ts-expect-error a big integer is not sent
void one.size;
// @ts-expect-error a date inside of a list is text
ok<Date | undefined>(one.nested.list[0]?.at);
// @ts-expect-error what has toJSON is what that gives
one.custom.toJSON();
const tree = await client.service('nodes').get(1);
ok<string>(tree.at);
ok<string | undefined>(tree.children[0]?.children[0]?.at);
// @ts-expect-error also in what holds itself
ok<Date | undefined>(tree.children[0]?.at);

// What find gives is what the service says.
ok<Promise<Page<{ when: string }>>>(plain.find());
ok<number>((await plain.find()).total);
ok<string | undefined>((await plain.find()).data[0]?.when);
const found = await posts.find();
ok<number>(Array.isArray(found) ? found.length : found.total);
// @ts-expect-error a page is no list
(await plain.find()).map(() => 1);
// @ts-expect-error it may be a page
void found.length;

// Without a schema each method gives and takes what it says itself.
const reports = client.service('reports');
ok<true>(true satisfies Same<Awaited<ReturnType<typeof reports.find>>, { id: number; title: string }[]>);
ok<string>((await reports.get(1)).body);
ok<{ queued: boolean; until: string }>(await reports.create({ title: 'a' }));
ok<number>((await reports.update(1, { title: 'a', body: 'b' })).version);
ok<number>((await reports.patch(1, {})).changed);
ok<number | undefined>((await reports.patch(null, {}))[0]?.changed);
ok<{ sent: string }>(await client.service('mails').create({ to: 'a' }));
ok(client.service('mails').on('created', ({ sent }) => ok<string>(sent)));
ok(reports.on('created', ({ until }) => ok<string>(until)).once('updated', ({ version }) => ok<number>(version)));
// @ts-expect-error what is created is no record in events too
void reports.on('created', ({ body }) => body);
// @ts-expect-error a list has not all that one record has
void (await reports.find())[0]?.body;
// @ts-expect-error what is created is no record
void (await reports.create({ title: 'a' })).body;
// @ts-expect-error an update takes more than a create
void reports.update(1, { title: 'a' });
// @ts-expect-error nothing is given
void (await reports.remove(1)).id;
// @ts-expect-error what is sent is text
void (await client.service('mails').create({ to: 'a' })).sent.getTime();
const rows = client.service('rows');
ok<true>(true satisfies Same<Awaited<ReturnType<typeof rows.update>>, { id: number; at: string }>);
ok<Promise<{ at: string }[]>>(rows.create([{ id: 1 }]));
ok<Promise<{ at: string }>>(rows.create({ id: 1 }));
ok<Promise<{ at: string }[]>>(rows.remove(null));
ok(rows.on('removed', ({ at }) => ok<string>(at)));

// Methods that may be called in several ways.
const prints = client.service('prints');
ok<Promise<{ job: number }>>(prints.create({ pages: 1 }, { query: { dry: true } }));
ok<Promise<{ job: number }[]>>(prints.create([{ pages: 1 }]));
ok<Promise<{ job: number }[]>>(prints.patch(null, { pages: 1 }));
ok<Promise<{ job: number }>>(prints.patch(1, { pages: 1 }));
ok<Promise<string>>(prints.stop({ job: 1 }));
ok<Promise<number>>(prints.stop({ name: 'a' }));
ok<string | undefined>((await prints.find()).data[0]?.at);
ok(prints.on('created', ({ job }) => ok<number>(job)));
// @ts-expect-error neither of the ways
void prints.stop({ pages: 1 });
// @ts-expect-error this way gives text
ok<Promise<number>>(prints.stop({ job: 1 }));

// Queries.
ok(posts.find({ query: { text: 'a', kind: 'news', $limit: 5, $skip: 0, $sort: { at: -1, text: 1 }, $select: ['text', 'id'] } }));
ok(posts.find({ query: { text: { $in: ['a'] }, authorId: { $gt: 5 }, $or: [{ text: 'a' }, { kind: { $ne: 'blog' } }] } }));
ok(posts.find({ query: { at: { $lt: new Date() } } }));
ok(posts.find({ query: { at: '2026-01-01T00:00:00Z' } }));
ok(posts.find({ query: { tags: 'x' } }));
ok(posts.find({ query: { $populate: ['author'] } }));
ok(posts.find({ query: { $after: 'cursor' } }));
ok(users.find({ query: { 'address.city': 'Rome' } }));
ok(plain.find({ query: { when: { $gt: '2026-01-01' }, $limit: 1 } }));
// Without a schema each method is asked for what it says itself.
const searches = client.service('searches');
ok(searches.find({ query: { words: 'a', $limit: 1 } }));
ok(searches.get(1, { query: { language: 'de' } }));
ok(searches.create({ words: 'a' }, { query: { dry: true } }));
ok(searches.update(1, {}, { query: { force: true } }));
ok(searches.remove(1, { query: { whatever: 1 } }));
ok(client.service('letters').create({ to: 'a' }, { query: { later: '2026-01-01' } }));
// @ts-expect-error what find is asked for
void searches.get(1, { query: { words: 'a' } });
// @ts-expect-error what get is asked for
void searches.create({ words: 'a' }, { query: { language: 'de' } });
// @ts-expect-error what create is asked for
void searches.update(1, {}, { query: { dry: true } });
// @ts-expect-error a value of another type, of a service that creates alone
void client.service('letters').create({ to: 'a' }, { query: { later: 5 } });
// @ts-expect-error a map is not sent
void searches.create({ words: 'a', at: new Map() });
// @ts-expect-error a value of another type
void posts.find({ query: { text: 5 } });
// @ts-expect-error no such property
void posts.find({ query: { wrong: 1 } });
// @ts-expect-error not one of the values
void posts.find({ query: { kind: 'other' } });
// @ts-expect-error no such operator
void posts.find({ query: { text: { $like: 'a' } } });
// @ts-expect-error an operand of another type
void posts.find({ query: { authorId: { $gt: 'a' } } });
// @ts-expect-error a list of values
void posts.find({ query: { text: { $in: 'a' } } });
// @ts-expect-error a direction is 1 or -1
void posts.find({ query: { $sort: { text: 2 } } });
// @ts-expect-error no such property to sort by
void posts.find({ query: { $sort: { wrong: 1 } } });
// @ts-expect-error a limit is a number
void posts.find({ query: { $limit: 'all' } });
// @ts-expect-error no such property to select
void posts.find({ query: { $select: ['wrong'] } });
// @ts-expect-error no such relation
void posts.find({ query: { $populate: 'wrong' } });
// @ts-expect-error the property that holds the id is no relation
void posts.find({ query: { $populate: ['authorId'] } });
// @ts-expect-error hidden properties are not asked for
void users.find({ query: { token: 'a' } });
// @ts-expect-error nor those that are never sent
void users.find({ query: { password: 'a' } });
// @ts-expect-error nor sorted by their values
void users.find({ query: { $sort: { token: 1 } } });
// @ts-expect-error nor selected
void users.find({ query: { $select: ['password'] } });
// @ts-expect-error inside of conditions too
void posts.find({ query: { $or: [{ wrong: 1 }] } });
// @ts-expect-error the query is inside of the parameters
void posts.find({ text: 'a' });
// @ts-expect-error parameters that there are not
void posts.find({ query: {}, provider: 'rest' });
// @ts-expect-error milliseconds are a number
void posts.find({ timeout: '5s' });
// @ts-expect-error no such way of repeating
void posts.find({ retry: { times: 5 } });
ok(posts.find({ retry: { attempts: 5, delay: 1, maxDelay: 5 }, timeout: 5, headers: { a: 'b' } }));
ok(posts.find({ retry: false }));

// Relations.
const post = await posts.get(1);
ok<string | undefined>(post.author?.email);
ok<string | null>((await posts.get(1, { query: { $populate: 'author' } })).author?.email ?? null);
ok<object | null>((await posts.get(1, { query: { $populate: ['author'] } })).author);
// @ts-expect-error what was not asked for may be missing
void post.author.email;
// @ts-expect-error what is behind a relation hides the same
void post.author?.password;

// Data.
const data = { text: 'a', kind: 'news', authorId: 1, tags: [], at: new Date() } as const;
ok(posts.create({ ...data, tags: [] }));
ok(posts.create({ ...data, tags: ['x'], at: '2026-01-01' }));
ok<Promise<{ id: number }[]>>(posts.create([{ ...data, tags: [] }]));
ok<Promise<{ id: number }>>(posts.update(1, { ...data, tags: [] }));
ok<Promise<{ id: number }>>(posts.patch(1, { text: 'b' }, { ifMatch: true }));
ok<Promise<{ id: number }[]>>(posts.patch(null, { text: 'b' }, { query: { kind: 'blog' } }));
ok<Promise<{ id: number }[]>>(posts.remove(null));
ok<Promise<{ id: number }>>(posts.remove('1', { ifMatch: post }));
ok(posts.create(new FormData()));
ok(posts.create(new Blob([]), { idempotencyKey: 'once' }));
ok(plain.create({ when: '2026-01-01', team: 'a' }));
// @ts-expect-error a property is missing
void posts.create({ text: 'a' });
// @ts-expect-error a value of another type
void posts.create({ ...data, tags: [], text: 5 });
// @ts-expect-error no such property
void posts.patch(1, { wrong: 1 });
// @ts-expect-error a value of another type
void posts.patch(1, { text: 5 });
// @ts-expect-error a record has an id
void posts.get(null);
// @ts-expect-error an update is for one record
void posts.update(null, { ...data, tags: [] });
// @ts-expect-error this service takes one record
void plain.create([{ when: new Date(), team: 'a' }]);
// @ts-expect-error this service removes one record
void plain.remove(null);
// @ts-expect-error an id is text or a number
void posts.get({ id: 1 });
// @ts-expect-error hidden properties are not set
void users.create({ email: 'a', password: 'b', salary: 1, team: 'c', address: { city: 'd', secret: 'e' }, token: 'f' });
// @ts-expect-error nor inside
void users.create({ email: 'a', password: 'b', salary: 1, team: 'c', address: { city: 'd', secret: 'e' } });
// @ts-expect-error nor inside, in a part
void users.patch(1, { address: { city: 'd', secret: 'e' } });
void users.create({ email: 'a', password: 'b', salary: 1, team: 'c', address: { city: 'd' } });
void users.patch(1, { address: { city: 'd' } });
// @ts-expect-error a version is text, a record or true
void posts.remove(1, { ifMatch: false });

// Pages and records.
for await (const { text } of records(posts, { query: { kind: 'news' } })) ok<string>(text);
for await (const page of pages(plain)) ok<string | undefined>(page.data[0]?.when);
// @ts-expect-error the records have no such property
for await (const { wrong } of records(posts)) ok(wrong);
// @ts-expect-error the query has no such property
records(posts, { query: { wrong: 1 } });
// @ts-expect-error a service that does not find
records(client.service('nodes'));

// Events.
ok(posts.on('created', ({ text }) => ok<string>(text)));
ok(posts.once('patched', ({ at }) => ok<string>(at)).off('patched'));
ok(posts.on('custom', (given) => ok<unknown>(given)));
for await (const event of posts.events({ signal: AbortSignal.timeout(5) }))
  if (event.type === 'reset') ok<undefined>(event.data as undefined);
// Of a list each one is an event.
ok(client.service('letters').on('created', (to) => ok<string>(to)));
// @ts-expect-error the record has no such property
void posts.on('created', ({ wrong }) => wrong);
// @ts-expect-error dates are text in events too
void posts.on('created', ({ at }) => at.getTime());
// @ts-expect-error what a custom event holds is not known
void posts.on('custom', ({ text }) => text);
// @ts-expect-error no such option
void posts.events({ limit: 5 });

// Login.
ok(client.authenticate({ strategy: 'local', email: 'a', password: 'b' }));
ok<Promise<string | undefined>>(client.reAuthenticate().then(({ accessToken }) => accessToken));
ok(client.get('authentication'));
ok(client.on('login', ({ accessToken }) => accessToken).on('logout', () => undefined));
ok(client.hooks({ before: { all: [({ params }) => void (params.headers = { a: 'b' })] } }));
ok(client.hooks([async (_context, next) => next()]));
ok(createClient<typeof app>(rest(''), { events: sse(''), authentication: { cookie: true, path: 'login' } }));
ok(createClient<typeof app>(rest(''), { authentication: { storage: localStorage } }));
// @ts-expect-error a login names its strategy
void client.authenticate({ email: 'a' });
// @ts-expect-error no such event
void client.on('loggedIn', () => undefined);
// @ts-expect-error nothing else is kept
void client.get('user');
// @ts-expect-error no such option
createClient<typeof app>(rest(''), { storage: localStorage });
// @ts-expect-error no such option
rest('', { timeOut: 5 });
// @ts-expect-error no such option
sse('', { retry: 5 });
// @ts-expect-error a text is no socket
socketio('https://api.example.com');
// @ts-expect-error a text is no transport
createClient('https://api.example.com');
// @ts-expect-error an event stream is no way to make calls
createClient(sse(''));

// Declared and inferred services give the same client.
const fromDeclared = createClient<typeof declared>(rest(''));
const fromMap = createClient<Declared>(rest(''));
ok<true>(
  true satisfies Same<
    Awaited<ReturnType<typeof fromDeclared.service<'plain'>>['get']>,
    Awaited<ReturnType<typeof fromMap.service<'plain'>>['get']>
  >,
);
ok<Promise<Flat<typeof one>>>(fromDeclared.service('plain').get(1));
// @ts-expect-error a path that is not declared
fromDeclared.service('posts');
// @ts-expect-error a path that the map has not
fromMap.service('posts');

// Without types any path may be asked for, and nothing is known.
ok<Promise<unknown>>(createClient(rest('')).service('anything').find());
// @ts-expect-error nothing is known of it
(await createClient(rest('')).service('anything').get(1)).text;

// One record is asked for without pages and order.
ok(posts.get(1, { query: { kind: 'news', $select: ['text'], $populate: ['author'] } }));
ok<string | undefined>((await posts.get(1, { query: { kind: 'news', $populate: ['author'] } })).author?.email);
ok(posts.patch(null, { text: 'a' }, { query: { kind: 'news', $select: ['id'] } }));
// @ts-expect-error one record has no pages
void posts.get(1, { query: { $limit: 5 } });
// @ts-expect-error beside what it may be asked for neither
void posts.get(1, { query: { kind: 'news', $limit: 5 } });
// @ts-expect-error nor an order
void posts.get(1, { query: { $select: ['text'], $sort: { text: 1 } } });
// @ts-expect-error no such property beside others
void posts.get(1, { query: { kind: 'news', wrong: 5 } });
// @ts-expect-error no such property beside a relation
void posts.get(1, { query: { $populate: ['author'], wrong: 5 } });
// @ts-expect-error no such operator beside a relation
void posts.get(1, { query: { $populate: ['author'], text: { $like: 'a' } } });
// @ts-expect-error what is created has no pages
void posts.create({ ...data, tags: [] }, { query: { $skip: 5 } });
// @ts-expect-error what is written has none
void posts.update(1, { ...data, tags: [] }, { query: { $limit: 1 } });
// @ts-expect-error nor where it is several: all that match are
void posts.patch(null, { text: 'a' }, { query: { $limit: 1 } });
// @ts-expect-error and all that match are removed
void posts.remove(null, { query: { kind: 'news', $limit: 1 } });

// Options of queries take what the methods do.
ok(findOptions('posts', posts, { query: { kind: 'news', $limit: 5 } }));
ok<Promise<{ text: string }>>(getOptions('posts', posts, 1, { query: { $select: ['text'] } }).queryFn({ signal: AbortSignal.timeout(5) }));
ok(getOptions('users/:userId/logs', plain, 1));
// @ts-expect-error no such property
void findOptions('posts', posts, { query: { wrong: 5 } });
// @ts-expect-error no such property
void getOptions('posts', posts, 1, { query: { wrong: 5 } });
// @ts-expect-error one record has no pages
void getOptions('posts', posts, 1, { query: { $limit: 5 } });
