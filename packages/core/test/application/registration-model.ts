/** What a plain model expects of applications and services: lists and counters, and no steps to take back. */

/** One registered service. */
export interface ModelService {
  /** The object that `app.service` gives. */
  readonly object: object;
  readonly hooks: string[];
  listeners: number;
  state: 'new' | 'started' | 'stopped';
}

export interface ModelMount {
  readonly child: ModelApp;
  readonly prefix: string;
}

export class ModelApp {
  readonly name: string;
  readonly services = new Map<string, ModelService>();
  readonly mounts: ModelMount[] = [];
  readonly hooks: string[] = [];
  started = false;

  constructor(name: string) {
    this.name = name;
  }
}

export class Model {
  readonly apps: readonly ModelApp[];
  readonly setups = new Map<object, number>();
  readonly teardowns = new Map<object, number>();

  constructor(names: readonly string[]) {
    this.apps = names.map((name) => new ModelApp(name));
  }

  /** @returns the applications that have one mounted, with the path there */
  #outside(app: ModelApp): { readonly parent: ModelApp; readonly prefix: string }[] {
    return this.apps.flatMap((parent) => parent.mounts.filter(({ child }) => child === app).map(({ prefix }) => ({ parent, prefix })));
  }

  /** @returns all entries that a service at a path would get */
  entries(app: ModelApp, path: string): [ModelApp, string][] {
    return [[app, path], ...this.#outside(app).flatMap(({ parent, prefix }) => this.entries(parent, `${prefix}/${path}`))];
  }

  isFree(app: ModelApp, path: string): boolean {
    const entries = this.entries(app, path);
    return (
      entries.every(([at, name]) => !at.services.has(name)) &&
      new Set(entries.map(([at, name]) => `${at.name} ${name}`)).size === entries.length
    );
  }

  use(app: ModelApp, path: string, service: ModelService): void {
    if (!this.isPlaced(service) && service.state === 'stopped') service.state = 'new';
    for (const [at, name] of this.entries(app, path)) at.services.set(name, service);
    if (app.started) this.#setUp(service);
  }

  isPlaced(service: ModelService): boolean {
    return this.apps.some((app) => [...app.services.values()].includes(service));
  }

  unuse(app: ModelApp, path: string): void {
    const service = app.services.get(path);
    if (!service) return;
    this.#takeOut(app, path, service);
    if (!this.isPlaced(service)) this.#tearDown(service);
  }

  #takeOut(app: ModelApp, path: string, service: ModelService): void {
    if (app.services.get(path) !== service) return;
    app.services.delete(path);
    for (const { parent, prefix } of this.#outside(app)) this.#takeOut(parent, `${prefix}/${path}`, service);
  }

  contains(outer: ModelApp, inner: ModelApp): boolean {
    return outer === inner || outer.mounts.some(({ child }) => this.contains(child, inner));
  }

  canMount(parent: ModelApp, child: ModelApp, prefix: string): boolean {
    if (this.contains(child, parent) || parent.mounts.some((mount) => mount.child === child && mount.prefix === prefix)) return false;
    const wanted = [...child.services.keys()].flatMap((path) => this.entries(parent, `${prefix}/${path}`));
    const free = wanted.every(([app, path]) => !app.services.has(path));
    return free && new Set(wanted.map(([app, path]) => `${app.name} ${path}`)).size === wanted.length;
  }

  mount(parent: ModelApp, child: ModelApp, prefix: string): void {
    for (const [path, service] of child.services) {
      for (const [app, name] of this.entries(parent, `${prefix}/${path}`)) app.services.set(name, service);
    }
    parent.mounts.push({ child, prefix });
    if (parent.started && !child.started) this.setup(child);
  }

  unmount(parent: ModelApp, mount: ModelMount): void {
    parent.mounts.splice(parent.mounts.indexOf(mount), 1);
    for (const [path, service] of mount.child.services) {
      this.#takeOut(parent, `${mount.prefix}/${path}`, service);
      if (!this.isPlaced(service)) this.#tearDown(service);
    }
  }

  setup(app: ModelApp): void {
    app.started = true;
    for (const { child } of app.mounts) if (!child.started) this.setup(child);
    for (const service of app.services.values()) this.#setUp(service);
  }

  teardown(app: ModelApp): void {
    app.started = false;
    for (const { child } of app.mounts) if (child.started) this.teardown(child);
    for (const service of app.services.values()) this.#tearDown(service);
  }

  #setUp(service: ModelService): void {
    if (service.state === 'started') return;
    service.state = 'started';
    this.setups.set(service.object, (this.setups.get(service.object) ?? 0) + 1);
  }

  #tearDown(service: ModelService): void {
    if (service.state === 'stopped') return;
    service.state = 'stopped';
    this.teardowns.set(service.object, (this.teardowns.get(service.object) ?? 0) + 1);
  }

  /** @returns the hooks that a call runs, without their order */
  hooksOf(service: ModelService): string[] {
    const apps = this.apps.filter((app) => [...app.services.values()].includes(service));
    return [...apps.flatMap(({ hooks }) => hooks), ...service.hooks].sort();
  }
}
