import { channels, realTimeOf, type EventTransport, type Message } from '@framework/channels';
import { framework, type HookContext, type Params } from '@framework/core';
import { Field, serviceSchema, Type } from '@framework/schema';
import { expect, it } from '@jest/globals';

interface AsRole extends Params {
  readonly role?: string;
}

const schema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    salary: Type.Optional(Field(Type.Number(), { readable: ({ role }: AsRole) => role === 'admin' })),
  }),
});

it.each(['get', 'approve'])('S34 an event sent when its call is over, with its context, has what everybody may see: %s', async (method) => {
  const app = framework();
  app.configure(channels());
  const made = async (..._given: readonly unknown[]): Promise<object> => ({ id: 1, salary: 5 });
  app.use('staff', { get: made, approve: made }, { schema, methods: ['get', 'approve'], events: ['approved'] });
  const staff = app.service('staff') as unknown as Record<string, (data: unknown, params: AsRole) => Promise<unknown>> & {
    emit(event: string, record: unknown, context: HookContext): void;
    hooks(hooks: object): void;
  };
  const over = new Promise<void>((resolve) => {
    const later = (context: HookContext): void => {
      staff.emit('approved', context.result, context);
      resolve();
    };
    staff.hooks({ after: { [method]: [(context: HookContext) => void setImmediate(later, context)] } });
  });
  const texts: string[] = [];
  const transport: EventTransport = { send: ({ text }: Message) => void texts.push(text), mark: () => undefined };
  const connection = {};
  realTimeOf(app).hub.open({ connection, transport, queued: 0, whenDrained: () => undefined, close: () => undefined });
  app.channel('all').join(connection);
  app.publish(() => app.channel('all'));
  expect(await staff[method]?.(1, { provider: 'rest', role: 'admin' })).toEqual({ id: 1, salary: 5 });
  await over;
  expect(texts).toEqual(['{"id":1}']);
});
