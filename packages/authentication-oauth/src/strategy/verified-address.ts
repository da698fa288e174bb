import { copyParams, paramsFor, type HookContext } from '@framework/core';
import { isRecord, property } from '../values.ts';
import { isCallable } from './refusals.ts';

/** The properties of entities that linking by address goes by. */
export interface AddressFields {
  readonly address: string;
  /** Is `true` where the address was verified. */
  readonly verified: string;
}

interface HookedService {
  hooks(map: object): unknown;
}

/** Services whose writes are looked at, and for which properties: several providers have the same entities. */
const watched = new WeakMap<object, Set<string>>();

/**
 * Looks at each `update` and `patch` of the entities: what was verified is one address, and not the one that takes its place. A write of the address that
 * does not say that it was verified takes the mark away, unless it is the same address once more.
 *
 * @param service of the entities
 */
export function unverifyNewAddresses(service: unknown, fields: AddressFields): void {
  if (!isHooked(service)) return;
  const known = watched.get(service) ?? new Set();
  watched.set(service, known);
  const key = JSON.stringify([fields.address, fields.verified]);
  if (known.has(key)) return;
  known.add(key);
  const hook = unverify(fields);
  const methods = ['update', 'patch'].filter((method) => isCallable(property(service, method)));
  service.hooks({ before: Object.fromEntries(methods.map((method) => [method, [hook]])) });
}

function isHooked(service: unknown): service is HookedService {
  return isCallable(property(service, 'hooks'));
}

function unverify({ address, verified }: AddressFields): (context: HookContext) => Promise<void> {
  return async (context) => {
    const { data } = context;
    if (!isRecord(data) || !writes(data, address) || writes(data, verified)) return;
    if (await isVerifiedAlready(context, data, { address, verified })) return;
    const mark = { [verified]: false };
    const hasOperators = Object.keys(data).some((name) => name.startsWith('$'));
    context.data = hasOperators ? { ...data, $set: { ...(isRecord(data.$set) ? data.$set : {}), ...mark } } : { ...data, ...mark };
  };
}

/** @returns whether data has a property or a part of it, by its name, by a path or by an operator */
function writes(data: Readonly<Record<string, unknown>>, field: string): boolean {
  return Object.entries(data).some(([name, value]) => {
    if (!name.startsWith('$') || !isRecord(value)) return isWithin(name, field);
    return Object.entries(value).some(
      ([path, operand]) => isWithin(path, field) || (name === '$rename' && typeof operand === 'string' && isWithin(operand, field)),
    );
  });
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** @returns whether all that data does to the address of one entity is to set it to the one that was verified */
async function isVerifiedAlready(
  { id, params, service }: HookContext,
  data: Readonly<Record<string, unknown>>,
  { address, verified }: AddressFields,
): Promise<boolean> {
  const { [address]: plain, $set: set, ...others } = data;
  const values = [plain, property(set, address)].filter((value) => value !== undefined);
  const { [address]: _set, ...otherSets } = isRecord(set) ? set : {};
  if (id === undefined || id === null || writes(others, address) || writes(otherSets, address)) return false;
  const get = property(service, 'get');
  if (!isCallable(get)) return false;
  try {
    const inner = copyParams(paramsFor(service, params), { query: {} }, ['provider', 'authentication']);
    const stored: unknown = await Reflect.apply(get, service, [id, inner]);
    return property(stored, verified) === true && values.every((value) => value === property(stored, address));
  } catch {
    // The write itself says what is wrong with the id.
    return false;
  }
}

/**
 * Whether an account may be taken by an identity with a verified address: the account has verified it too, as it is written, and has no other identity of
 * the provider. Where a collation finds another spelling, that is another address.
 *
 * @param fields with the property of the provider's identities
 */
export function isOpenTo(
  account: Readonly<Record<string, unknown>>,
  email: string,
  { address, verified, identity }: AddressFields & { readonly identity: string },
): boolean {
  return account[verified] === true && account[address] === email && (account[identity] ?? null) === null;
}
