/** Longest wait of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls a listener at a time, once. Nothing stays alive for that.
 *
 * @param time milliseconds since 1970; `Infinity` for never. One that has passed comes with the next turn
 * @returns what takes it back
 */
export function atTime(time: number, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = time - Date.now();
    timer = setTimeout(left > LONGEST ? wait : listener, Math.min(Math.max(left, 0), LONGEST));
    timer.unref();
  };
  if (time !== Infinity) wait();
  return () => clearTimeout(timer);
}
