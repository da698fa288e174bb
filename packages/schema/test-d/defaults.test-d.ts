// Compiled by the type check, never run: defaults in which there are defaults.
import { Default, Hidden, Nullable, ReadOnly, serviceSchema, Type, type DataType, type RecordType } from '../src/index.ts';

const Options = Type.Object({
  size: Default(Type.Integer(), 10),
  order: Default(Type.Union([Type.Literal('up'), Type.Literal('down')]), 'up'),
  place: Default(Type.Object({ city: Type.String(), land: Default(Type.String(), 'IT') }), { city: 'Rome' }),
});
const Counter = Type.Object({
  name: Type.String(),
  step: Default(Type.Integer(), 1),
  made: ReadOnly(Type.Integer()),
  key: Hidden(Type.String()),
});

const pages = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    none: Default(Options, {}),
    some: Default(Options, { size: 5, place: { city: 'Pisa' } }),
    listed: Default(Type.Array(Options), [{}, { order: 'down' }]),
    maybe: Default(Nullable(Options), null),
    given: Default(Nullable(Options), {}),
    counter: Default(Counter, { name: 'a', made: 0, key: 'k' }),
    texts: Default(Type.Array(Type.String()), []),
  }),
});
export const nothing: DataType<typeof pages> = {};
declare const page: RecordType<typeof pages>;
export const land: [string, number, number] = [page.none.place.land, page.some.size, page.counter.step];

// @ts-expect-error what has no default is asked for
Default(Counter, { made: 0, key: 'k' });
// @ts-expect-error callers do not send it, and records have it
Default(Counter, { name: 'a', key: 'k' });
// @ts-expect-error callers do not see it, and records have it
Default(Counter, { name: 'a', made: 0 });
// @ts-expect-error a value of another type inside
Default(Options, { size: 'large' });
// @ts-expect-error no such property
Default(Options, { sise: 5 });
// @ts-expect-error further inside too
Default(Options, { place: { land: 'DE' } });
// @ts-expect-error a default of another type
Default(Type.Array(Options), {});
// @ts-expect-error null is no options
Default(Options, null);
