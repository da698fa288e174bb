/** How deep types are followed: what nests deeper, or without end, stays as it is. */
type Depth = [never, 0, 1, 2, 3, 4, 5, 6, 7];

// oxlint-disable-next-line typescript/no-invalid-void-type -- what methods give that give nothing
type Plain = string | number | boolean | null | undefined | void;

/** Values of a database that are text in JSON. */
interface ObjectIdLike {
  toHexString(): string;
}

/** What has its contents beside its properties: in JSON nothing is left of it. */
type Emptied = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | RegExp;

type Unsent = ((...args: never[]) => unknown) | symbol | bigint;

/**
 * What arrives of a value as JSON: dates and object ids are text, functions are not there, nothing is left of maps and sets, and whatever has `toJSON` is what that gives.
 *
 * @typeParam D how many levels are still followed
 */
export type Wire<T, D extends number = 8> = [D] extends [never]
  ? T
  : unknown extends T
    ? T
    : T extends Plain
      ? T
      : T extends ObjectIdLike
        ? string
        : T extends { toJSON(key: never): infer J }
          ? Wire<J, Depth[D]>
          : T extends Unsent | Emptied
            ? T extends Emptied
              ? Record<never, never>
              : never
            : WireParts<T, Depth[D]>;

type WireParts<T, D extends number> = T extends readonly unknown[]
  ? { [K in keyof T]: Wire<T[K], D> }
  : { [K in keyof T as T[K] extends Unsent ? never : K & (string | number)]: Wire<T[K], D> };

/**
 * What may be sent where the server takes a value: dates as dates or text, object ids as text, no maps and sets.
 *
 * @typeParam D how many levels are still followed
 */
export type Sendable<T, D extends number = 8> = [D] extends [never]
  ? T
  : unknown extends T
    ? T
    : T extends Plain
      ? T
      : T extends Date
        ? Date | string
        : T extends ObjectIdLike
          ? string
          : T extends Unsent | Emptied
            ? never
            : { [K in keyof T]: Sendable<T[K], Depth[D]> };
