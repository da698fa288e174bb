// Compiled against the built packages, as applications do: what is added here would reach their sources.
import type { Application as FeathersApplication } from '@feathersjs/feathers';
import { transaction } from '@feathersjs/knex';
import socketio from '@feathersjs/socketio';
import { authenticate } from '@framework/authentication';
import { framework, type HookContext } from '@framework/core';
import express, { rest } from '@framework/transport-express';
import { authorize } from 'feathers-casl';
import { discard, disallow, iff, isNot, isProvider, setNow, softDelete } from 'feathers-hooks-common';

declare module '@framework/core' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- as the guide shows it
  interface PluginApplication extends FeathersApplication {}
}

interface Note {
  readonly id: number;
  readonly text: string;
}
const notes = {
  find: async (): Promise<Note[]> => [],
  get: async (id: number | string): Promise<Note> => ({ id: Number(id), text: '' }),
  create: async (data: { text: string }): Promise<Note> => ({ id: 1, ...data }),
  patch: async (id: number | null, data: { text: string }): Promise<Note> => ({ id: Number(id), ...data }),
};

const app = express(framework<{ notes: typeof notes }>());
app.configure(socketio());
app.configure(rest());
app.use('notes', notes);

type NoteContext = HookContext<typeof app, typeof notes>;
const own = async (context: NoteContext): Promise<void> => {
  context.params.query = {};
};
const ofAny = async (context: HookContext): Promise<void> => {
  context.params.query = {};
};

app.service('notes').hooks({
  around: { all: [authenticate('jwt'), softDelete()] },
  before: {
    all: [own, ofAny, disallow('external')],
    create: [iff(isProvider('external'), authenticate('jwt')), setNow('createdAt'), transaction.start()],
    patch: [disallow('external'), ofAny],
    find: [iff((context) => context.params.provider === 'rest', own), iff(isProvider('external'), ofAny)],
  },
  after: { all: [iff(isNot(isProvider('server')), discard('text'))], create: [transaction.end()] },
  error: { create: [transaction.rollback()] },
});
app.hooks({ before: { all: [authorize({})] } });

// The types of one's own hooks are what they are without plug-ins.
app.service('notes').hooks({
  before: { create: [(context) => context.data.text.length] },
  after: { find: [(context) => context.result?.map(({ id }) => id + 1)] },
});
// @ts-expect-error There is no such property.
app.service('notes').hooks({ before: { create: [(context) => context.data.title] } });
// @ts-expect-error There is no such method.
app.service('notes').hooks({ before: { nope: [] } });
type OtherContext = HookContext<typeof app, { add(a: number): Promise<string> }>;
const ofOther = async (context: OtherContext): Promise<void> => void context.result;
// @ts-expect-error It is for another service.
app.service('notes').hooks({ before: { all: [ofOther] } });
