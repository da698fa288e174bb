import { Random, Variety } from '@framework-internal/random';
import { expect, it } from '@jest/globals';
import { framework, type HookContext } from '../../src/index.ts';
import { Model, type ModelApp, type ModelService } from './registration-model.ts';

const RUNS = Number(process.env.REGISTRATION_RUNS ?? 500);
const SEED = Number(process.env.REGISTRATION_SEED ?? 20261121);
const STEPS = 24;
const PATHS = ['a', 'b', 'c/d'];
const PREFIXES = ['v1', 'v2', 'a'];

type App = ReturnType<typeof framework>;

/** A registered service, as far as the test calls it. */
interface Service {
  hooks(map: object): unknown;
  on(event: string, listener: () => void): unknown;
  create(data: unknown): Promise<unknown>;
}

/** What happens to services, by the object that it happens to. */
class Witness {
  readonly setups = new Map<object, number>();
  readonly teardowns = new Map<object, number>();
  log: string[] = [];
}

function count(counts: Map<object, number>, object: object): void {
  counts.set(object, (counts.get(object) ?? 0) + 1);
}

/** Each form of service notes on which object its `setup` and `teardown` are called. */
function makeService(form: string, witness: Witness, random: Random): object {
  const slow = random.oneIn(2);
  const pause = async (): Promise<void> => {
    if (slow) await Promise.resolve();
  };
  const plain = {
    async create(data: unknown): Promise<unknown> {
      return data;
    },
    async setup(): Promise<void> {
      count(witness.setups, this);
      await pause();
    },
    async teardown(): Promise<void> {
      count(witness.teardowns, this);
      await pause();
    },
  };
  class Private {
    readonly #witness = witness;
    async create(data: unknown): Promise<unknown> {
      return data;
    }
    async setup(): Promise<void> {
      count(this.#witness.setups, this);
      await pause();
    }
    async teardown(): Promise<void> {
      count(this.#witness.teardowns, this);
      await pause();
    }
  }
  if (form === 'class') return new Private();
  return form === 'proxy' ? new Proxy(plain, {}) : plain;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Run {
  readonly random: Random;
  readonly variety: Variety;
  readonly witness = new Witness();
  readonly model = new Model(['A', 'B', 'C', 'D']);
  readonly apps: readonly App[];
  readonly raws: object[] = [];
  readonly services = new Map<object, ModelService>();
  readonly history: string[] = [];
  mixinFails = false;

  constructor(seed: number, variety: Variety) {
    this.random = new Random(seed);
    this.variety = variety;
    this.apps = this.model.apps.map(() => {
      const app = framework();
      app.mixins.push(() => {
        if (this.mixinFails) throw new Error('mixin');
      });
      return app;
    });
  }

  appOf(model: ModelApp): App {
    return this.apps[this.model.apps.indexOf(model)] as App;
  }

  service(app: ModelApp, path: string): Service {
    return this.appOf(app).service(path) as unknown as Service;
  }

  note(branch: string, detail = ''): void {
    this.variety.took(branch);
    this.history.push(`${branch} ${detail}`);
  }

  async step(): Promise<void> {
    const { random, model } = this;
    const app = random.pick(model.apps);
    switch (random.below(12)) {
      case 0:
      case 1:
      case 2:
        this.use(app);
        break;
      case 3: {
        const path = random.pick([...app.services.keys(), ...PATHS]);
        this.note(app.services.has(path) ? 'unuse' : 'unuse nothing', `${app.name} ${path}`);
        if (!app.mounts.some(({ prefix }) => prefix === path) || app.services.has(path)) {
          await this.appOf(app).unuse(path);
          model.unuse(app, path);
        }
        break;
      }
      case 4:
        this.mount(app);
        break;
      case 5: {
        const mount = app.mounts.at(-1);
        if (!mount || app.services.has(mount.prefix)) break;
        const first = app.mounts.find(({ prefix }) => prefix === mount.prefix) ?? mount;
        this.note('unmount', `${app.name} ${mount.prefix}`);
        await this.appOf(app).unuse(mount.prefix);
        model.unmount(app, first);
        break;
      }
      case 6:
        this.note('setup', app.name);
        await this.appOf(app).setup();
        model.setup(app);
        break;
      case 7:
        this.note('teardown', app.name);
        await this.appOf(app).teardown();
        model.teardown(app);
        break;
      case 8:
      case 9:
        this.hooksAndListeners(app);
        break;
      default:
        if (app.services.size === 0) break;
        this.note('call', app.name);
        await this.compareCall(app, random.pick([...app.services.keys()]));
    }
    await settled();
    await settled();
  }

  use(app: ModelApp): void {
    const { random, model } = this;
    const path = random.pick(PATHS);
    const known = this.raws.length > 0 && random.oneIn(2);
    const registered = random.oneIn(2) ? [...this.services.keys()] : [];
    const form = random.pick(['plain', 'class', 'proxy']);
    const given = known ? random.pick([...this.raws, ...registered]) : makeService(form, this.witness, random);
    this.mixinFails = random.oneIn(6);
    const works = model.isFree(app, path) && !this.mixinFails;
    const detail = `${app.name} ${path} ${known ? 'known' : form}`;
    const use = (): unknown => this.appOf(app).use(path, given as { create(data: unknown): Promise<unknown> });
    if (!works) {
      this.note('use refused', detail);
      expect(use).toThrow();
      this.mixinFails = false;
      // An instance that was out of all applications begins anew with the attempt.
      const before = this.services.get(given);
      if (before && this.raws.includes(given) && !model.isPlaced(before)) this.services.delete(given);
      return;
    }
    use();
    if (!this.raws.includes(given) && !this.services.has(given)) this.raws.push(given);
    const object: object = this.service(app, path);
    const before = this.services.get(object);
    const again = before && (model.isPlaced(before) || object !== given || !this.raws.includes(given));
    const service: ModelService = again ? before : { object, hooks: [], listeners: 0, state: 'new' };
    this.services.set(object, service);
    this.note(again ? 'use again' : known ? 'use anew' : `use ${form}`, detail);
    model.use(app, path, service);
  }

  mount(app: ModelApp): void {
    const { random, model } = this;
    const child = random.pick(model.apps);
    const prefix = random.pick(PREFIXES);
    const works = model.canMount(app, child, prefix);
    this.note(works ? 'mount' : 'mount refused', `${app.name} ${prefix} ${child.name}`);
    const mount = (): unknown => this.appOf(app).use(prefix, this.appOf(child));
    if (!works) expect(mount).toThrow();
    else {
      mount();
      model.mount(app, child, prefix);
    }
  }

  hooksAndListeners(app: ModelApp): void {
    const { random } = this;
    const name = `${app.name}${String(this.history.length)}`;
    const hook = (): void => void this.witness.log.push(name);
    const paths = [...app.services.keys()];
    if (paths.length === 0 || random.oneIn(3)) {
      this.note('application hook', name);
      this.appOf(app).hooks({ before: { all: [hook] } });
      app.hooks.push(name);
      return;
    }
    const path = random.pick(paths);
    const service = app.services.get(path) as ModelService;
    if (random.oneIn(2)) {
      this.note('listener', `${app.name} ${path}`);
      this.service(app, path).on('created', () => this.witness.log.push('event'));
      service.listeners += 1;
    } else {
      this.note('service hook', `${app.name} ${path}`);
      this.service(app, path).hooks({ around: { create: [async (_context: HookContext, next: () => Promise<void>) => (hook(), next())] } });
      service.hooks.push(name);
    }
  }

  async compareCall(app: ModelApp, path: string): Promise<void> {
    const { model, witness } = this;
    const service = app.services.get(path) as ModelService;
    expect(this.appOf(app).service(path)).toBe(service.object);
    expect(this.appOf(app).lookup(`${path}/5`)).toMatchObject({ path, params: { __id: '5' } });
    witness.log = [];
    await this.service(app, path).create('x');
    const events = witness.log.filter((line) => line === 'event').length;
    const hooks = witness.log.filter((line) => line !== 'event').sort();
    expect({ path, hooks, events }).toEqual({ path, hooks: model.hooksOf(service), events: service.listeners });
  }

  async compare(): Promise<void> {
    const { model, witness } = this;
    for (const app of model.apps) {
      const real = this.appOf(app);
      expect(Object.keys(real.services).sort()).toEqual([...app.services.keys()].sort());
      for (const path of app.services.keys()) await this.compareCall(app, path);
    }
    expect(witness.setups).toEqual(model.setups);
    expect(witness.teardowns).toEqual(model.teardowns);
  }
}

it(`services and applications in any order behave as a plain model says (${String(RUNS)} runs)`, async () => {
  const variety = new Variety();
  for (let run = 0; run < RUNS; run++) {
    const test = new Run(SEED + run, variety);
    try {
      for (let step = 0; step < STEPS; step++) await test.step();
      await test.compare();
    } catch (error) {
      throw new Error(`Seed ${String(SEED + run)} fails after:\n${test.history.join('\n')}`, { cause: error });
    }
    variety.tried(test.history.join(';'));
  }
  console.log(variety.report('registrations', SEED));
  const often = Math.floor(RUNS / 10);
  const branches = [
    'use plain',
    'use class',
    'use proxy',
    'use again',
    'use anew',
    'use refused',
    'unuse',
    'mount',
    'mount refused',
    'unmount',
  ];
  const others = ['setup', 'teardown', 'application hook', 'service hook', 'listener', 'call'];
  variety.expect(Math.floor(RUNS * 0.99), Object.fromEntries([...branches, ...others].map((branch) => [branch, often])));
});
