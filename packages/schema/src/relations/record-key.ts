import { isObjectId } from '@framework/query';

/** @returns whether a text is that of an object id */
export function isObjectIdText(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text);
}

/**
 * A text that stands for an id, the same for equal ids and never the same for others.
 *
 * @param id text, a number, a bigint or an object id
 * @returns `undefined` for what can not be an id
 */
export function keyOf(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : `text ${id}`;
  if (typeof id === 'number') return Number.isFinite(id) ? `number ${String(id)}` : undefined;
  if (typeof id === 'bigint') return `number ${String(id)}`;
  return isObjectId(id) ? `hex ${id.toHexString().toLowerCase()}` : undefined;
}

/** @returns what a key of an id means: the same for an object id and for its text, however that is written */
export function meaningOf(key: string): string {
  return key.startsWith('hex ') ? key : otherForm(key);
}

/** Records by their ids. */
export class RecordsByKey {
  readonly #records = new Map<string, object>();

  /** Adds a record under its id; one without an id that can be read is left out. */
  set(id: unknown, record: object): void {
    const key = keyOf(id);
    if (key !== undefined) this.#records.set(key, record);
  }

  /** @returns the record that an id means; a text of 24 hexadecimal digits also means the object id, and the other way round */
  get(id: unknown): object | undefined {
    const key = keyOf(id);
    return key === undefined ? undefined : (this.#records.get(key) ?? this.#records.get(otherForm(key)));
  }
}

function otherForm(key: string): string {
  if (key.startsWith('hex ')) return `text ${key.slice(4)}`;
  const text = key.slice('text '.length);
  return key.startsWith('text ') && isObjectIdText(text) ? `hex ${text.toLowerCase()}` : key;
}
