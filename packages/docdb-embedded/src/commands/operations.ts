import type { Doc } from '../bson/values.ts';
import type { Operation } from './operation.ts';

/** A command that runs. */
export interface RunningCommand {
  readonly id: number;
  readonly connection: number;
  readonly appName: string | undefined;
  readonly command: Doc;
  readonly ns: string;
  readonly started: number;
  readonly operation: Operation;
}

/** The commands that run at the moment, and how many there have been of each kind. */
export class Operations {
  readonly #running = new Map<number, RunningCommand>();
  #next = 0;

  /** Notes that a command runs. @returns its number */
  begin(given: Omit<RunningCommand, 'id' | 'started'>): number {
    this.#next += 1;
    this.#running.set(this.#next, { ...given, id: this.#next, started: Date.now() });
    return this.#next;
  }

  /** Notes that it has ended. */
  end(id: number): void {
    this.#running.delete(id);
  }

  /** @returns the commands that run */
  list(): RunningCommand[] {
    return [...this.#running.values()];
  }

  /** Ends a command where it looks at its time next. */
  kill(id: number): void {
    this.#running.get(id)?.operation.kill();
  }
}
