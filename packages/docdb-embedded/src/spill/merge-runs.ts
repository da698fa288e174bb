interface Head<T> {
  value: T;
  readonly run: number;
  readonly rest: Iterator<T>;
}

/**
 * Merges sorted runs into one; of equal values those of an earlier run come first.
 *
 * @param compare orders two values
 */
export function* mergeRuns<T>(runs: readonly Iterable<T>[], compare: (a: T, b: T) => number): Generator<T, void> {
  const before = (a: Head<T>, b: Head<T>): boolean => {
    const order = compare(a.value, b.value);
    return order < 0 || (order === 0 && a.run < b.run);
  };
  /** A heap: the first comes before its children, at twice its place and one or two behind. */
  const heap: Head<T>[] = [];
  for (const [run, values] of runs.entries()) {
    const rest = values[Symbol.iterator]();
    const first = rest.next();
    if (first.done !== true) heap.push({ value: first.value, run, rest });
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, before);
  for (let head = heap[0]; head; head = heap[0]) {
    yield head.value;
    const next = head.rest.next();
    if (next.done !== true) head.value = next.value;
    else {
      const last = heap.pop() as Head<T>;
      if (heap.length > 0) heap[0] = last;
    }
    sink(heap, 0, before);
  }
}

function sink<T>(heap: Head<T>[], from: number, before: (a: Head<T>, b: Head<T>) => boolean): void {
  let at = from;
  const moved = heap[at];
  if (!moved) return;
  for (;;) {
    let child = 2 * at + 1;
    const right = heap[child + 1];
    if (right && before(right, heap[child] as Head<T>)) child += 1;
    const least = heap[child];
    if (!least || !before(least, moved)) break;
    heap[at] = least;
    at = child;
  }
  heap[at] = moved;
}
