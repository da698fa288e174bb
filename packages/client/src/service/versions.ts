import { need } from '../need.ts';

/** Most versions that are kept by the address of their record; with one more all are forgotten. */
const MOST = 1000;

/** The entity tags of the records that were read: by the record itself, and by its address for `ifMatch: true`. */
export class Versions {
  readonly #ofRecord = new WeakMap<object, string>();
  readonly #last = new Map<string, string>();

  /** @param address of the record */
  keep(address: string, record: unknown, tag: string | null | undefined): void {
    // A weak tag, W/"…", is none for a write: the server takes it for another version, or does not look at it.
    if (tag?.[0] !== '"' || typeof record !== 'object' || !record) return;
    this.#ofRecord.set(record, tag);
    if (this.#last.size >= MOST) this.#last.clear();
    this.#last.set(address, tag);
  }

  /**
   * @param asked `params.ifMatch`
   * @throws TypeError where no version is known, which must not become a write without a condition
   */
  tag(address: string, asked: true | string | object): string {
    const tag = typeof asked === 'string' ? asked : asked === true ? this.#last.get(address) : this.#ofRecord.get(asked);
    return need(tag || undefined, `No version of '${address}' is known: rest() has no ETag of a 'conditional' service`);
  }
}
