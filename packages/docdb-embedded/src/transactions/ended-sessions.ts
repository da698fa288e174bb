/** Sessions that have ended: a write of theirs may be sent again for a while, and what it is answered is forgotten behind that. */
export class EndedSessions {
  readonly #most: number;
  /** When each has ended, by the place of its record. */
  readonly #ended = new Map<string, number>();

  /** @param most sessions that are known at once; of more the first ones are outlived at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Notes that a session has ended, or has not been used since the last start. */
  add(key: Buffer, at: number): void {
    this.#ended.set(key.toString('latin1'), at);
  }

  /** It is used again. */
  takeBack(key: Buffer): void {
    this.#ended.delete(key.toString('latin1'));
  }

  /**
   * Takes away those that were ended before a time, and the first ones of more than are known.
   *
   * @returns the places of their records
   */
  takeOutlived(before: number): Buffer[] {
    const outlived: Buffer[] = [];
    for (const [key, at] of this.#ended) {
      if (at >= before && this.#ended.size <= this.#most) continue;
      this.#ended.delete(key);
      outlived.push(Buffer.from(key, 'latin1'));
    }
    return outlived;
  }
}
