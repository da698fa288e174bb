// Compiled by the type check, never run: what must and must not compile.
import { framework, type Id } from '@framework/core';
import type { Publisher } from '../src/index.ts';

interface Message {
  id: number;
  text: string;
  to: string;
}

declare class MessageService {
  get(id: Id): Promise<Message>;
  create(data: Omit<Message, 'id'>): Promise<Message>;
}

const app = framework().use('messages', new MessageService());

// A publisher of a service knows its records, as listeners of its events do.
app
  .service('messages')
  .publish((message, context) => [app.channel(`users/${message.to.trim()}`), context.path === 'x' && app.channel('x')]);
app.service('messages').publish('created', (message) => app.channel('all').send({ id: message.id }));
app.service('messages').registerPublisher('removed', (message) => (message.text === '' ? null : app.channel('all')));
// @ts-expect-error the record has no such property
app.service('messages').publish((message) => app.channel(message.form));
// Of an event with other data it says what that is.
app.service('messages').publish('archived', ({ by }: { by: string }) => app.channel(by));
// Of an event it knows what its method gives.
declare class JobService {
  get(id: Id): Promise<{ state: string }>;
  create(data: object): Promise<{ queued: Date } | { queued: Date }[]>;
}
const jobs = framework().use('jobs', new JobService()).service('jobs');
jobs.publish('created', ({ queued }) => app.channel(queued.toISOString())).publish('patched', ({ state }) => app.channel(state));
jobs.publish((data) => ('queued' in data ? app.channel(data.queued.toISOString()) : app.channel(data.state)));
// @ts-expect-error what is created is no record here
jobs.publish('created', ({ state }) => app.channel(state));
// @ts-expect-error not every event has a record
jobs.registerPublisher(({ state }) => app.channel(state));
// One for any service may be used on a certain one, and that of an application has any record.
const forAll: Publisher = () => app.channel('all');
app.service('messages').publish(forAll);
app.publish((record, context) => (typeof record === 'object' && context.event === 'created' ? app.channel('all') : undefined));
// @ts-expect-error what the records of all services are is not known
app.publish((record) => app.channel(record.to));

// A filter answers at once, with whatever is true or not.
app.publish(() => app.channel('all').filter(({ user }) => user));
app.publish(() => app.channel('all').filter((connection) => connection.team === 'a' && connection.ready !== undefined));
// @ts-expect-error a promise would be true of everybody
app.publish(() => app.channel('all').filter(async ({ user }) => Boolean(user)));
