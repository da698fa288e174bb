/** Milliseconds that clocks of processes may differ. */
export const TOLERANCE = 60_000;

/** A time that a process has set. */
export interface SetTime {
  /** Milliseconds since 1970; `null` for never. */
  readonly end: number | null;
  /** How long it was to last, in milliseconds. */
  readonly life: number;
  /** Whether this process has set it: its own clock needs no tolerance. */
  readonly own: boolean;
}

/**
 * Tells whether something has ended by its time. Where another process has set the time, a difference of clocks does not end it
 * early, within a minute, or a tenth of a shorter life.
 */
export function isOver({ end, life, own }: SetTime): boolean {
  return end !== null && Date.now() >= end + (own ? 0 : Math.min(TOLERANCE, life / 10));
}
