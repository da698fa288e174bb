/** Listens to an event. */
type Listener = (...args: never[]) => unknown;

/** Listeners by the names of events. What one throws is reported like an error of a timer, and keeps nothing from the others. */
export class Emitter extends Map<string, Set<Listener>> {
  on(name: string, listener: Listener): void {
    this.set(name, (this.get(name) ?? new Set()).add(listener));
  }

  /** @param listener Default: all of the event */
  off(name: string, listener?: Listener): void {
    const known = this.get(name);
    if (listener) known?.delete(listener);
    if (!listener || !known?.size) this.delete(name);
  }

  emit(name: string, ...args: unknown[]): void {
    for (const listener of new Set(this.get(name))) {
      try {
        listener(...(args as never[]));
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
  }
}
