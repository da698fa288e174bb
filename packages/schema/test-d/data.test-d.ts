// Compiled by the type check, never run: what is sent of a record.
import { DateSchema, Hidden, Nullable, ReadOnly, serviceSchema, Type, WriteOnly, type DataType, type PatchType } from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const plain = serviceSchema({ record: Type.Object({ _id: Type.String(), name: Type.String(), at: Type.Optional(Type.Integer()) }) });
export const same: Same<DataType<typeof plain>, { at?: number; name: string }> = true;

const users = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    password: WriteOnly(Type.String()),
    token: Hidden(Type.String()),
    seed: Hidden(WriteOnly(Type.String())),
    createdAt: ReadOnly(DateSchema()),
    updatedAt: Type.Readonly(Type.Optional(Type.Number())),
    checkedAt: Nullable(ReadOnly(DateSchema())),
    nick: Type.Optional(Type.String()),
    address: Type.Object({ city: Type.String(), secret: Hidden(Type.String()), since: Type.Readonly(Type.Number()) }),
    keys: Type.Array(Type.Object({ id: Type.String(), digest: Hidden(Type.String()), usedAt: ReadOnly(Type.Number()) })),
  }),
});
type Data = DataType<typeof users>;
export const sent: Data = { name: 'Ann', password: 'x', seed: 'y', address: { city: 'Rome' }, keys: [{ id: 'k' }] };
// The server may set what is hidden.
export const set: Data = { ...sent, token: 't', address: { city: 'Rome', secret: 's' }, keys: [{ id: 'k', digest: 'd' }], nick: 'A' };
export const patched: PatchType<typeof users> = { address: { city: 'Rome' } };
// @ts-expect-error a property is missing
export const incomplete: Data = { password: 'x', seed: 'y', address: { city: 'Rome' }, keys: [] };
// @ts-expect-error a property is missing inside
export const inside: Data = { ...sent, address: {} };
// @ts-expect-error read-only properties are not sent
export const withTime: Data = { ...sent, createdAt: new Date() };
// @ts-expect-error read-only, also where it may be null
export const withCheck: Data = { ...sent, checkedAt: null };
// @ts-expect-error read-only inside of a list
export const withUse: Data = { ...sent, keys: [{ id: 'k', usedAt: 1 }] };
// @ts-expect-error a value of another type
export const wrong: Data = { ...sent, token: 5 };

const Place = Type.Object({ city: Type.String(), secret: Hidden(Type.String()), since: ReadOnly(Type.Number()) });
const people = serviceSchema({
  record: Type.Object({
    maybe: Nullable(Place),
    left: Type.Optional(Nullable(Place)),
    either: Type.Union([Place, Type.Object({ land: Type.String() })]),
    both: Type.Intersect([Place, Type.Object({ land: Type.String() })]),
    pair: Type.Tuple([Place, Type.Integer()]),
    byName: Type.Record(Type.String(), Place),
  }),
});
type Person = DataType<typeof people>;
const place = { city: 'Rome' };
export const person: Person = { maybe: place, either: place, both: { ...place, land: 'IT' }, pair: [place, 1], byName: { home: place } };
export const other: Person = { ...person, maybe: null, left: null, either: { land: 'IT' }, byName: {} };
// @ts-expect-error read-only in what may be null
export const withSince: Person = { ...person, maybe: { city: 'Rome', since: 1 } };
// @ts-expect-error a property is missing in an element of a tuple
export const withoutCity: Person = { ...person, pair: [{}, 1] };
