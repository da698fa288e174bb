// Jest's environment of Node.js otherwise in three things, for the time that they take (decision 0033). What a test sees is the same, but for Jest's fake
// timers, which no test here uses: time is given to what needs it; and tests that listen hear what nobody takes. All files of tests that a process runs
// share one, with what `jest-runtime.mjs` loads once: what a file adds to the globals goes with it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, createContext } from 'node:vm';
import { ModuleMocker } from 'jest-mock';
import { installCommonGlobals } from 'jest-util';

/** Bytes that Node.js makes are of the same classes inside. */
const SHARED = { Buffer, ArrayBuffer, Uint8Array };
const OF_NODE = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([name]) => !(name in SHARED));

// Up to Node.js 22 each promise of a process is followed for each storage that anything was ever run in. Jest's runner of tests makes one for each
// file and leaves it: with fifty files an `await` takes seventy times as long.
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return Reflect.apply(run, this, given);
};

/**
 * What a test listens for to prove that it does not come. Jest gives each file a copy of the process, which hears nothing of it; what is left at the end of a
 * test fails that by itself, and what is taken some turns later would have ended a process all the same.
 */
const HEARD = new Set(['unhandledRejection', 'uncaughtException']);

const STACK_FRAMES = 100;

let shared;

export default class Environment {
  fakeTimers = null;
  fakeTimersModern = null;
  #conditions;
  #given;
  /** Takes listeners from the process itself. */
  #unheard = [];

  constructor({ projectConfig }) {
    if (shared) {
      shared.#begin(projectConfig);
      return shared;
    }
    shared = this;
    // Jest's own has a proxy behind the global object, to account for what is added to it: each `Array`, `Map` or `Object` in any code asks that, which
    // takes a hundred times as long.
    const global = createContext(constants.DONT_CONTEXTIFY);
    for (const [name, descriptor] of OF_NODE)
      if (!Object.hasOwn(global, name)) Object.defineProperty(global, name, whenRead(name, descriptor, global));
    Object.assign(global, SHARED, { global });
    installCommonGlobals(global, projectConfig.globals);
    this.#hear(global.process);
    global.Error.stackTraceLimit = STACK_FRAMES;
    this.#given = Object.getOwnPropertyDescriptors(global);
    this.global = global;
    this.moduleMocker = new ModuleMocker(global);
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
  }

  /** Gives the next file a process of its own: variables of the environment, listeners, and `exit`, which Jest replaces for each. */
  #begin({ globals }) {
    const made = { Symbol, Date };
    installCommonGlobals(made, globals);
    this.#hear(made.process);
    this.global.process = made.process;
    this.global.Error.stackTraceLimit = STACK_FRAMES;
  }

  /** Lets listeners of a file's process hear what this process says. */
  #hear(copy) {
    const { on, off } = copy;
    copy.on = (event, listener) => {
      if (!HEARD.has(event)) return Reflect.apply(on, copy, [event, listener]);
      process.on(event, listener);
      this.#unheard.push(() => process.off(event, listener));
      return copy;
    };
    copy.off = (event, listener) => {
      if (HEARD.has(event)) process.off(event, listener);
      return Reflect.apply(off, copy, [event, listener]);
    };
  }

  async setup() {}

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }

  async teardown() {
    for (const leave of this.#unheard.splice(0)) leave();
    // `expect` keeps its matchers in what can not be deleted: it lasts, as they do.
    for (const name of Reflect.ownKeys(this.global)) if (!Object.hasOwn(this.#given, name)) Reflect.deleteProperty(this.global, name);
    for (const name of Reflect.ownKeys(this.#given)) restore(this.global, name, this.#given[name]);
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return this.global;
  }
}

/** Reading some of Node's globals loads modules. */
function whenRead(name, descriptor, global) {
  if (!descriptor.get || !descriptor.configurable) return descriptor;
  const { enumerable } = descriptor;
  const define = (value) => Object.defineProperty(global, name, { value, enumerable, configurable: true, writable: true });
  return { enumerable, configurable: true, get: () => define(globalThis[name])[name], set: (value) => void define(value) };
}

/** Makes a global again what it was, when a file of tests has changed it. What can not be configured, Node.js itself keeps. */
function restore(global, name, given) {
  if (!given.configurable) return;
  const now = Object.getOwnPropertyDescriptor(global, name);
  const read = given.get !== undefined && now?.get === undefined;
  if (now?.get !== given.get || now?.value !== given.value)
    if (!(read && now?.value === globalThis[name])) Object.defineProperty(global, name, given);
}

/** Tests, and what runs around them: functions, and errors whose stacks hold whoever called. */
function forget(part) {
  for (const below of [...(part.children ?? []), ...(part.hooks ?? [])]) forget(below);
  empty(part);
}

function empty(object) {
  for (const name of Reflect.ownKeys(object)) Reflect.deleteProperty(object, name);
}
