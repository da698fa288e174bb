/**
 * One copy of a package. npm installs a package twice where ranges of its versions differ, and each copy has private state that the other does not see: what one hides
 * in results, the other would send. So each marks what it makes, and refuses what another copy of it has made.
 */
export class PackageCopy {
  /** Name of the package. */
  readonly packageName: string;
  /** The same in all copies. */
  readonly #key: symbol;

  /** @param packageName its name, for example `@framework/core`; each copy makes one object of this class when it is loaded */
  constructor(packageName: string) {
    this.packageName = packageName;
    this.#key = Symbol.for(`${packageName}/copy`);
  }

  /**
   * Says that this copy has made an object, or what inherits from it. A mark of another copy gives way, so it is looked at before.
   *
   * @returns the same object
   */
  mark<T extends object>(made: T): T {
    return Object.defineProperty(made, this.#key, { value: this, writable: true, configurable: true });
  }

  /**
   * Refuses what another copy has made. What nobody has marked is let through.
   *
   * @param value anything
   * @param what it is for the reader of the error, for example `the service 'users'`
   * @throws Error that says how to leave one copy
   */
  refuseOthers(value: unknown, what: string): void {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    const by: unknown = Reflect.get(value, this.#key);
    // A proxy may answer for every name.
    if (by === this || typeof by !== 'object' || by === null || Reflect.get(by, 'packageName') !== this.packageName) return;
    const name = this.packageName;
    throw new Error(
      `Two copies of ${name} are installed, and ${what} is of another copy than what it is used with: what one of them keeps secret, the other would not. ` +
        `\`npm ls ${name}\` shows where they are; update all packages of @framework/* together, so that one is left`,
    );
  }
}

/** This copy of the core. */
export const CORE: PackageCopy = new PackageCopy('@framework/core');
