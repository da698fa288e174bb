// Jest's environment of Node.js in three things otherwise: two of them take a fifth off the time of the whole suite, and the third, what V8 is given, a
// quarter off the loading of modules (decision 0033). What a test sees is the same, but for
// Jest's fake timers, which no test here uses: time is given to what needs it.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm, { constants, createContext } from 'node:vm';
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

// Node.js 20 holds each module that another imports until that one is gone. As long as anything of a file that has ended leads to its modules they
// lead to one another, and stay: the last of a hundred files takes four times as long as the first. Contexts are emptied for that when their file has ended.
// `lmdb` gives its native part one function for the process, which it looks for here: each context that gave its own would be held by it.
const ONE_OF_PROCESS = '__lmdb_read_callback';

// Each file of tests compiles all that it loads once more, for a context of its own. V8 is given what it has made of the same text before. It refuses what
// was made before one of its flags was set, which is made again. Code that asks for imports itself has to be compiled: whom it asks is not kept with it.
const { SourceTextModule, compileFunction } = vm;
const modules = new Map();
const functions = new Map();
const IMPORTS = /\bimport\s*[(.]/;

vm.SourceTextModule = function (code, options) {
  if (IMPORTS.test(code)) return new SourceTextModule(code, options);
  const cachedData = modules.get(code);
  try {
    const module = new SourceTextModule(code, cachedData ? { ...options, cachedData } : options);
    if (!cachedData) modules.set(code, module.createCachedData());
    return module;
  } catch (error) {
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    modules.delete(code);
    return new SourceTextModule(code, options);
  }
};
vm.SourceTextModule.prototype = SourceTextModule.prototype;

vm.compileFunction = (code, parameters, options) => {
  if (IMPORTS.test(code)) return compileFunction(code, parameters, options);
  const cachedData = functions.get(code);
  const compiled = compileFunction(code, parameters, { ...options, ...(cachedData ? { cachedData } : { produceCachedData: true }) });
  if (!cachedData) functions.set(code, compiled.cachedData);
  else if (compiled.cachedDataRejected) functions.delete(code);
  return compiled;
};

export default class Environment {
  fakeTimers = null;
  fakeTimersModern = null;
  #conditions;
  #given;

  constructor({ projectConfig }) {
    // Jest's own has a proxy behind the global object, to account for what is added to it: each `Array`, `Map` or `Object` in any code asks that, which
    // takes a hundred times as long.
    const global = createContext(constants.DONT_CONTEXTIFY);
    for (const [name, descriptor] of OF_NODE)
      if (!Object.hasOwn(global, name)) Object.defineProperty(global, name, whenRead(name, descriptor, global));
    Object.assign(global, SHARED, { global });
    Object.defineProperty(global, ONE_OF_PROCESS, {
      get: () => globalThis[ONE_OF_PROCESS],
      set(value) {
        globalThis[ONE_OF_PROCESS] = value;
      },
    });
    installCommonGlobals(global, projectConfig.globals);
    global.Error.stackTraceLimit = 100;
    this.#given = new Set(Reflect.ownKeys(global));
    this.global = global;
    this.moduleMocker = new ModuleMocker(global);
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
  }

  async setup() {}

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }

  async teardown() {
    for (const name of Reflect.ownKeys(this.global)) {
      if (this.#given.has(name)) continue;
      // What stays holds at least nothing.
      if (!Reflect.deleteProperty(this.global, name)) empty(this.global[name]);
    }
    this.global = null;
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

/** Tests, and what runs around them: functions, and errors whose stacks hold whoever called. */
function forget(part) {
  for (const below of [...(part.children ?? []), ...(part.hooks ?? [])]) forget(below);
  empty(part);
}

function empty(object) {
  for (const name of Reflect.ownKeys(object)) Reflect.deleteProperty(object, name);
}
