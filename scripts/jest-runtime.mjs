// Jest's loader of modules in one thing otherwise: a process loads what is no test once, and not anew for each file of tests (decision 0033). Files of
// tests, what stands beside them, and `internal` are loaded for each file, and so is the part of Jest that knows the tests of a file.
import JestRuntime from 'jest-runtime';

/** Packages, and what they stand on; but for the two that a test shares with Jest, which are asked for there. */
const LASTS = /[\\/]packages[\\/][^\\/]+[\\/](?:src|dist)[\\/]|[\\/]node_modules[\\/](?!@jest[\\/]|expect[\\/])/;
/** What Jest itself loads for tests. */
const KNOWS_TESTS = /[\\/]jest-circus[\\/]/;

/** By their environment: there is one in each process. */
const runtimes = new WeakMap();

export default class Runtime extends JestRuntime {
  constructor(...given) {
    const [, environment] = given;
    const testPath = given[6];
    const runtime = runtimes.get(environment);
    if (runtime) {
      runtime.#begin(testPath);
      return runtime;
    }
    super(...given);
    runtimes.set(environment, this);
  }

  #begin(testPath) {
    this._testPath = testPath;
    this.executor.testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.testState.state = 'loading';
    this.jestGlobals.setEnvGlobalsOverride(undefined);
    this.jestGlobals.cachedEnvGlobals = undefined;
    this.installGetBuiltinModule();
  }

  teardown() {
    const { moduleRegistry, esModuleRegistry, internalModuleRegistry } = this.registries;
    const lasting = [
      [moduleRegistry, (name) => LASTS.test(name)],
      [esModuleRegistry, (name) => LASTS.test(name)],
      [internalModuleRegistry, (name) => !KNOWS_TESTS.test(name)],
    ].map(([registry, lasts]) => [registry, [...registry].filter(([name]) => lasts(name))]);
    super.teardown();
    for (const [registry, entries] of lasting) for (const [name, module] of entries) registry.set(name, module);
  }
}
