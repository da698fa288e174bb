import type { RandomRequest } from './random-request.ts';

/** How different the requests of a run were. */
export class Variety {
  readonly #seen = {
    methods: new Set<string>(),
    paths: new Set<string>(),
    names: new Set<string>(),
    bodies: new Set<string>(),
    headers: new Set<string>(),
  };
  #count = 0;
  readonly statuses: Map<number, number> = new Map();

  note(request: RandomRequest): void {
    this.#count += 1;
    this.#seen.methods.add(request.method);
    this.#seen.paths.add(request.path);
    for (const name of request.names) this.#seen.names.add(name);
    this.#seen.bodies.add(request.body ?? '');
    this.#seen.headers.add(JSON.stringify(request.headers));
  }

  answered(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Distinct values of each kind. */
  get distinct(): Record<'methods' | 'paths' | 'names' | 'bodies' | 'headers', number> {
    const { methods, paths, names, bodies, headers } = this.#seen;
    return { methods: methods.size, paths: paths.size, names: names.size, bodies: bodies.size, headers: headers.size };
  }

  /** @throws Error for requests that were too much alike to show anything */
  check(): void {
    const { methods, paths, names, bodies, headers } = this.distinct;
    const enough =
      methods >= 25 && paths >= this.#count * 0.5 && names >= this.#count * 0.15 && bodies >= this.#count * 0.25 && headers >= 300;
    if (!enough) throw new Error(`The requests are too much alike: ${this.toString()}`);
  }

  toString(): string {
    const kinds = Object.entries(this.distinct).map(([kind, count]) => `${count} ${kind}`);
    const statuses = [...this.statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${count} x ${status}`);
    return `${this.#count} requests with ${kinds.join(', ')}; answers: ${statuses.join(', ') || 'none'}`;
  }
}
