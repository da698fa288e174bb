import type { HookPlace } from '../hooks/call-context.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { ApplicationHooks } from '../hooks/method-chain.ts';
import type { ErrorWatcher } from './error-watchers.ts';
import type { EventHolder } from './held-events.ts';
import type { ListenerErrorHandler } from './service-events.ts';

/** The part of an application that a service needs. */
export interface ServiceHost {
  /** What hooks see as `context.app`. */
  readonly facade: object;
  readonly hookRegistry: HookRegistry;
  readonly errorWatchers: ReadonlySet<ErrorWatcher>;
  /** What services of the application say of when events are told. */
  readonly eventHolders: Set<EventHolder>;
  readonly lifecycle: { readonly settled: boolean };
  readonly reportListenerError: ListenerErrorHandler;
}

/** One entry of an application's services. */
export interface Registration {
  readonly host: ServiceHost;
  readonly path: string;
}

/** The applications that a service is in, whose hooks run around it. */
export class Placement {
  readonly #home: HookPlace & Registration;
  readonly #own: HookRegistry;
  /** The home first; those that it is mounted in behind it. Of a service that was taken out of the last one, the last. */
  #registrations: readonly Registration[] = [];
  #registries: readonly HookRegistry[] = [];
  #placed = false;
  #moves = 0;

  /**
   * @param home the first application
   * @param own the service's own hooks
   */
  constructor(home: HookPlace & Registration, own: HookRegistry) {
    this.#home = home;
    this.#own = own;
  }

  /** Whether an application has the service. */
  get placed(): boolean {
    return this.#placed;
  }

  get registrations(): readonly Registration[] {
    return this.#registrations;
  }

  /** Rises with each registration of hooks that concern the service, and with each {@link change}. */
  get version(): number {
    let version = this.#moves;
    for (const registry of this.#registries) version += registry.version;
    return version;
  }

  /** Makes {@link version} rise. */
  change(): void {
    this.#moves += 1;
  }

  add(registration: Registration): void {
    this.#placeAll([...(this.#placed ? this.#registrations : []), registration]);
    this.#placed = true;
  }

  remove(host: ServiceHost, path: string): void {
    const left = this.#registrations.filter((entry) => entry.host !== host || entry.path !== path);
    this.#placed = left.length > 0;
    // The hooks of a service that is in none stay those of the last one.
    if (this.#placed) this.#placeAll(left);
  }

  /** Each application once, with the first path of the service there, the outermost first: what an application is mounted in gets a service behind it. */
  applications(): ApplicationHooks[] {
    const places = new Map<ServiceHost, Registration>();
    for (const registration of this.#registrations) {
      const { host } = registration;
      const place = places.get(host) ?? registration;
      places.delete(host);
      places.set(host, place);
    }
    return [...places]
      .reverse()
      .map(([host, place]) => (host === this.#home.host ? { hooks: host.hookRegistry } : { hooks: host.hookRegistry, place }));
  }

  #placeAll(registrations: readonly Registration[]): void {
    // The sum of versions has to rise when a registry goes.
    this.#moves = this.version + 1;
    this.#registrations = registrations;
    const hosts = new Set(registrations.map(({ host }) => host));
    this.#registries = [...hosts].map(({ hookRegistry }) => hookRegistry).concat(this.#own);
  }
}
