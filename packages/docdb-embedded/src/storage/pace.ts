/** Documents in one step. */
const STEP = 200;
/** Milliseconds that one step looks for documents. */
const STEP_TIME = 2;
/** Documents that are looked at before it looks at the clock, and bytes that count as one more. */
const LOOK = 16;
const LARGE = 4096;

/** Tells where a step ends: others have their turn then. */
export class Pace {
  #end = performance.now() + STEP_TIME;
  #work = 0;

  /** @returns whether the step of so many documents ends behind one of so many bytes */
  ends(documents: number, bytes: number): boolean {
    this.#work += 1 + bytes / LARGE;
    if (this.#work < LOOK) return false;
    this.#work = 0;
    return documents >= STEP || performance.now() >= this.#end;
  }

  /** Begins the next step. */
  begin(): void {
    this.#end = performance.now() + STEP_TIME;
  }
}
