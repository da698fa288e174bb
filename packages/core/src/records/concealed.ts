import { kindOf } from './value-kind.ts';

/**
 * A copy of a record in which what others do not see can be read, and is left out by JSON, by spreading and by whatever else goes through
 * properties. Elements that a list does not show are left out altogether.
 *
 * @param record the record; it is not changed
 * @param shown what others see of it, as rules give it
 * @returns the record itself when others see all of it
 */
export function concealed<T>(record: T, shown: unknown): T;
export function concealed(record: unknown, shown: unknown): unknown {
  if (record === shown || !isObject(record) || !isObject(shown)) return shown;
  const kind = kindOf(record);
  if (kind !== 'object' && kind !== 'json') return shown;
  const copy = Object.create(Object.getPrototypeOf(record) as object | null) as Record<PropertyKey, unknown>;
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (!Object.hasOwn(shown, name)) hide(copy, name, value);
    else copy[name] = concealed(value, shown[name]);
  }
  for (const symbol of Object.getOwnPropertySymbols(record)) {
    const value: unknown = Reflect.get(record, symbol);
    if (Object.prototype.propertyIsEnumerable.call(record, symbol)) copy[symbol] = value;
    else hide(copy, symbol, value);
  }
  // What makes its own JSON would put everything into it.
  if (kind === 'json') hide(copy, 'toJSON', () => shown);
  return copy;
}

function hide(copy: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(copy, name, { value, enumerable: false, writable: true, configurable: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
