// Types that hold, and types that must not compile.
import { framework } from '@framework/core';
import { getValidator, Type } from '@framework/schema';
import express from '@framework/transport-express';
import { z } from 'zod';
import { configuration, loadConfiguration, type ConfigurationOptions, type SettingsOf } from '../src/index.ts';

const schema = Type.Object({ port: Type.Integer(), name: Type.Optional(Type.String()), deep: Type.Object({ on: Type.Boolean() }) });

const settings = loadConfiguration({ schema });
export const port: number = settings.port;
export const name: string | undefined = settings.name;
// @ts-expect-error the port is a number
export const text: string = settings.port;
// @ts-expect-error no such setting
export const prot: unknown = settings.prot;

const zodSettings = loadConfiguration({ schema: z.object({ port: z.coerce.number() }) });
export const zodPort: number = zodSettings.port;

export const anything: unknown = loadConfiguration().anything;

type Settings = SettingsOf<typeof schema>;
const app = framework<Record<never, never>, Settings>();
app.configure(configuration({ schema }));
app.configure(configuration(schema));
export const declared: number = app.get('port');
export const on: boolean = app.get('deep').on;
// @ts-expect-error the port is a number
export const wrong: string = app.get('port');

express(framework<Record<never, never>, Settings>()).configure(configuration({ schema }));
framework().configure(configuration());

// A schema by itself: JSON, TypeBox, a validator of another library or one that was made of a schema. What is not known of it is looked at when it is called.
const json = { type: 'object', properties: { port: { type: 'integer' } }, secret: ['port'] } as const;
for (const known of [configuration(json), configuration(z.object({})), configuration(getValidator(schema))]) app.configure(known);
configuration({ type: 'object', properties: { port: { type: 'integer' } }, 'x-note': 'ours' });
configuration({ anyOf: [schema] });
configuration(JSON.parse('{}') as object);
configuration(JSON.parse('{}') as Record<string, unknown>);
configuration({ schema: getValidator(schema), env: {} });
configuration({});
// @ts-expect-error no such option
configuration({ schma: schema });
// @ts-expect-error beside one that there is neither
configuration({ schema, directry: 'config' });
// @ts-expect-error nor alone
configuration({ directry: 'config' });
// @ts-expect-error a list is no schema
configuration([schema]);

// @ts-expect-error a folder is a text
loadConfiguration({ directory: 5 });
// @ts-expect-error no such option
loadConfiguration({ dir: 'config' });
// @ts-expect-error a map names variables
export const options: ConfigurationOptions = { variables: { port: 5 } };
