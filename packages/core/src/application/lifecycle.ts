import type { ApplicationHookContext, ApplicationHookFunction } from '../hooks/hook-types.ts';
import { functionOf, isFunction } from '../is-function.ts';
import type { RegisteredService } from '../service/registered-service.ts';
import { Gate } from '../service/service-lifecycle.ts';
import { eachToItsEnd } from './each-to-its-end.ts';
import type { Mount, Registry } from './registry.ts';
import { SettingUp } from './setting-up.ts';
import { toldWhenSlow } from './told-when-slow.ts';

type LifecycleMethod = 'setup' | 'teardown';

/** A start for one server, until it fails or all of them end. */
interface Start {
  readonly server: unknown;
  done: Promise<unknown>;
  /** Of a mounted application: who sets up around it waits here, unless this start has called it. */
  gate?: Gate;
}

/** Starts and stops the services of one application, and of those that are mounted in it, with the hooks around it (reference 1.2). */
export class Lifecycle {
  /** What callers from outside wait for. */
  readonly settingUp: SettingUp = new SettingUp();
  readonly #registry: Omit<Registry, 'lifecycle'>;
  readonly #hooks: Record<LifecycleMethod, ApplicationHookFunction[]> = { setup: [], teardown: [] };
  /** Where there are some, services that are registered from now on are set up at once. Of several at a time each may fail. */
  #starts: readonly Start[] = [];
  #settled = false;
  /** Rises with each teardown. */
  #ends = 0;

  constructor(registry: Omit<Registry, 'lifecycle'>) {
    this.#registry = registry;
  }

  get started(): boolean {
    return this.#starts.length > 0;
  }

  /** @returns settles when whoever follows the latest start may go on, and fails with it; `undefined` where there is none */
  follow(): Promise<unknown> | undefined {
    const latest = this.#starts.at(-1);
    return latest && (latest.gate?.wait() ?? latest.done);
  }

  /** Whether all services that were there have been set up, also in the applications that this one is mounted in. */
  get settled(): boolean {
    return this.#settled && [...this.#registry.parents].every(({ parent }) => parent.lifecycle.settled);
  }

  /** @returns whether a hook map is for `setup` or `teardown` and not for service methods */
  takes(map: unknown): map is Record<string, unknown> {
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false;
    if (['around', 'before', 'after', 'error'].some((type) => type in map)) return false;
    return 'setup' in map || 'teardown' in map;
  }

  /** @throws Error for a key other than `setup` and `teardown`, or a hook that is not a function */
  addHooks(map: Record<string, unknown>): void {
    const added = Object.entries(map).map(([method, value]) => {
      if (method !== 'setup' && method !== 'teardown') throw new Error(`'${method}' is not an application method with hooks`);
      const hooks: unknown[] = Array.isArray(value) ? value : [value];
      if (!hooks.every(isFunction)) throw new TypeError(`A hook for '${method}' is not a function`);
      return { method, hooks } as const;
    });
    for (const { method, hooks } of added) this.#hooks[method].push(...hooks);
  }

  /** Says of a start that services are set up before it ends, also those of applications that lie in this one, each when it is its turn. */
  announce(start: Promise<unknown>): void {
    this.settingUp.begin(start, true);
    for (const { lifecycle } of registriesIn(this.#registry)) lifecycle.settingUp.begin(start, false);
  }

  /**
   * Sets up what is not set up yet, one after the other in the order of registration. The hooks around it run once, and once more for another
   * server. It goes no further once a teardown has begun, which would leave up what comes behind it.
   */
  setup(server: unknown): Promise<void> {
    const done = this.#setup(server);
    this.announce(done);
    return done;
  }

  async #setup(server: unknown): Promise<void> {
    const ends = this.#ends;
    const latest = this.#starts.at(-1);
    if (latest && (server === undefined || server === latest.server)) {
      await latest.done;
      await this.#setupServices(server, ends);
      return;
    }
    const start: Start = { server, done: Promise.resolve() };
    this.#starts = [...this.#starts, start];
    const run = (): Promise<void> => this.#around('setup', server, () => this.#setupServices(server, ends));
    if (this.#registry.parents.size > 0) start.gate = new Gate(run);
    start.done = start.gate?.done ?? run();
    try {
      await start.done;
      this.#goOn(ends);
      this.#settle();
    } catch (error) {
      // What was started for another server stays so.
      this.#starts = this.#starts.filter((other) => other !== start);
      throw error;
    }
  }

  /** What callers see is fixed now. In a mounted application, once the outermost one is set up: its authentication may know of secrets here. */
  #settle(): void {
    this.#settled = true;
    if (this.#registry.parents.size === 0) for (const { rules } of servicesIn(this.#registry)) rules.freeze();
  }

  async #setupServices(server: unknown, ends: number): Promise<void> {
    for (const service of this.#registry.registered.values()) {
      this.#goOn(ends);
      const mounted = this.#mountOf(service);
      if (mounted) await startOrFollow(mounted, server);
      this.#goOn(ends);
      // It may have been taken out meanwhile: nobody would tear it down.
      if (service.placed) await setupService(service);
    }
    for (const mounted of this.#registry.children) {
      this.#goOn(ends);
      await startOrFollow(mounted, server);
    }
    this.#goOn(ends);
    for (const service of this.#registry.registered.values())
      if (service.home.host.hookRegistry === this.#registry.hookRegistry) service.check();
  }

  /** @throws Error when a teardown has begun meanwhile */
  #goOn(ends: number): void {
    if (this.#ends !== ends) throw new Error('app.teardown() was called before app.setup() had ended: the services are not set up');
  }

  /**
   * Tears down what is not torn down yet. What fails to be keeps none of the others up.
   *
   * @throws what has failed, once all others are torn down
   */
  async teardown(server: unknown): Promise<void> {
    this.#ends += 1;
    this.#settled = false;
    this.settingUp.end();
    // A closed server is not to be kept.
    this.#starts = [];
    await this.#around('teardown', server, () => eachToItsEnd(this.#teardowns(server)));
  }

  /** One at a time, since what is torn down may take others out. */
  *#teardowns(server: unknown): Generator<() => Promise<unknown>> {
    for (const service of this.#registry.registered.values()) {
      const mounted = this.#mountOf(service);
      if (mounted) yield () => stopMounted(mounted, server);
      yield () => teardownService(service);
    }
    for (const mounted of this.#registry.children) yield () => stopMounted(mounted, server);
  }

  /** Sets up a service that comes after {@link setup}; calls of it wait until then. */
  setupLate(service: RegisteredService): void {
    if (!this.started || functionOf(service.service, 'setup') === undefined) return;
    const { lifecycle, home } = service;
    if (!lifecycle.waiting) return;
    lifecycle.gate = new Gate(
      () => setupService(service),
      (error) => {
        if (error !== undefined) process.emitWarning(`setup of service '${home.path}' failed: ${String(error)}`);
      },
    );
  }

  /** Sets up an application that is mounted after {@link setup}; calls of its services wait until then. */
  setupMountedLate(mounted: Mount): void {
    if (!this.started) return;
    const waiting = [...mounted.child.registered.values()].map(({ lifecycle }) => lifecycle).filter((lifecycle) => lifecycle.waiting);
    const gate = new Gate(
      () => startMounted(mounted, this.#starts.at(-1)?.server),
      (error) => {
        if (error !== undefined) process.emitWarning(`setup of the application at '${mounted.prefix}' failed: ${String(error)}`);
        else for (const lifecycle of waiting) if (lifecycle.gate === gate) lifecycle.gate = undefined;
      },
    );
    for (const lifecycle of waiting) lifecycle.gate = gate;
  }

  #mountOf(service: RegisteredService): Mount | undefined {
    if (service.home.host.hookRegistry === this.#registry.hookRegistry) return undefined;
    return [...this.#registry.children].find(({ child }) => [...child.registered.values()].includes(service));
  }

  /** Runs the hooks around the work. Also where one of them does not wait for its `next`, the work is waited for, and what it fails with is told. */
  async #around(method: LifecycleMethod, server: unknown, work: () => Promise<void>): Promise<void> {
    const { facade } = this.#registry;
    const hooks = this.#hooks[method];
    const context: ApplicationHookContext = { app: facade, method, server, arguments: [server], self: facade };
    const step = async (index: number): Promise<void> => {
      const hook = hooks[index];
      if (!hook) return work();
      let rest: Promise<void> | undefined;
      let isOver = false;
      const run = (leave?: () => void): unknown =>
        hook.call(facade, context, () => {
          leave?.();
          if (rest) return Promise.reject(new Error('next() called multiple times'));
          rest = step(index + 1);
          const over = (): void => {
            isOver = true;
          };
          rest.then(over, over);
          return rest;
        });
      await (method === 'setup' ? toldWhenSlow(hook.name === '' ? 'A setup hook' : `The setup hook '${hook.name}'`, run) : run());
      if (!rest) throw new Error(`A hook of '${method}' has ended without a call of next(): the services are not ${DONE[method]}`);
      if (!isOver) await rest;
    };
    await step(0);
  }
}

const DONE: Readonly<Record<LifecycleMethod, string>> = { setup: 'set up', teardown: 'torn down' };

/** Services of an application and of those that are mounted in it. */
function servicesIn(registry: Pick<Registry, 'registered' | 'children'>): ReadonlySet<RegisteredService> {
  return new Set([registry, ...registriesIn(registry)].flatMap(({ registered }) => [...registered.values()]));
}

/** @returns the applications that lie in another one at any depth, each once, from the outside in */
export function registriesIn(registry: Pick<Registry, 'children'>): ReadonlySet<Registry> {
  const found = new Set<Registry>();
  const lookInto = ({ children }: Pick<Registry, 'children'>): void => {
    for (const { child } of children) {
      if (found.has(child)) continue;
      found.add(child);
      lookInto(child);
    }
  };
  lookInto(registry);
  return found;
}

/** Of an application that was started by itself before, nothing is done again. */
async function startMounted({ child }: Mount, server: unknown): Promise<void> {
  if (!child.lifecycle.started) await applyTo(child, 'setup', server);
}

/** What somebody else is starting has hooks around its services: nobody sets these up meanwhile. */
async function startOrFollow(mounted: Mount, server: unknown): Promise<void> {
  await (mounted.child.lifecycle.follow() ?? startMounted(mounted, server));
}

async function stopMounted({ child }: Mount, server: unknown): Promise<void> {
  if (child.lifecycle.started) await applyTo(child, 'teardown', server);
}

/** Calls a method of an application as its users see it: a transport, or a plug-in, may have put its own in place. */
async function applyTo({ facade }: Registry, method: LifecycleMethod, server: unknown): Promise<void> {
  const run = functionOf(facade, method);
  if (run) await Reflect.apply(run, facade, [server]);
}

/** Calls `setup` of a service, unless that was done. */
export function setupService(service: RegisteredService): Promise<unknown> {
  return service.lifecycle.setup(() => toldWhenSlow(`The setup of service '${service.home.path}'`, () => call(service, 'setup')));
}

/** Calls `teardown` of a service, unless that was done. */
export function teardownService(service: RegisteredService): Promise<unknown> {
  return service.lifecycle.teardown(() => call(service, 'teardown'));
}

function call({ service, home }: RegisteredService, method: LifecycleMethod): unknown {
  const own = functionOf(service, method);
  return own && Reflect.apply(own, service, [home.host.facade, home.path]);
}
