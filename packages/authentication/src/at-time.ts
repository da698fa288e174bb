/** Longest time between two looks at the clock, in milliseconds: it may be put forward or back, and a machine that sleeps counts no time for timers. */
const LONGEST = 60_000;

/**
 * Calls a listener at a time of the clock, once, or within a minute of it where the clock was changed. Nothing stays alive for that.
 *
 * @param time milliseconds since 1970; `Infinity` for never. One that has passed comes with the next turn
 * @returns what takes it back
 */
export function atTime(time: number, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const left = (): number => time - Date.now();
  const later = (): void => {
    timer = setTimeout(look, Math.min(Math.max(left(), 0), LONGEST));
    timer.unref();
  };
  const look = (): void => (left() > 0 ? later() : listener());
  if (time !== Infinity) later();
  return () => clearTimeout(timer);
}
