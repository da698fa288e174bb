/** Options of {@link redisEventLog}. */
export interface RedisEventLogOptions {
  /**
   * Name of the stream; what belongs to it begins with the same name. Another one for each application on the same Redis: those that share a stream get each other's events.
   * Default: `events`.
   */
  readonly key?: string;
  /** Writes that the stream keeps, about, and a hundred at least. A process that is further behind tells its clients to read again. Default: 10,000. */
  readonly keep?: number;
  /** Milliseconds of the past that a process reads when it starts, so that clients of other processes can resume with it. Default: 120,000. */
  readonly replay?: number;
  /** Milliseconds in which events are gathered before they are stored together. Default: 5. */
  readonly gather?: number;
}

/** Redis removes so many at once: with fewer a process could not tell what it has missed from what it has read. */
const LEAST_KEPT = 100;
const NUMBERS = { keep: 10_000, replay: 120_000, gather: 5 };

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an unknown option, or one that is not what it has to be
 */
export function redisEventLogSettings(options: RedisEventLogOptions): Required<RedisEventLogOptions> {
  const { key = 'events', ...numbers } = options;
  if (typeof key !== 'string' || key === '') throw new TypeError("The option 'key' of redisEventLog() has to be the name of a stream");
  const settings: Record<string, number> = { ...NUMBERS };
  for (const [name, value] of Object.entries(numbers)) {
    if (!Object.hasOwn(NUMBERS, name)) {
      throw new TypeError(`redisEventLog() has no option '${name}'. Known are key, ${Object.keys(NUMBERS).join(', ')}`);
    }
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < (name === 'keep' ? 1 : 0)) {
      throw new TypeError(`The option '${name}' of redisEventLog() has to be a whole number ${name === 'keep' ? 'above 0' : 'from 0 on'}`);
    }
    settings[name] = value;
  }
  const filled = settings as typeof NUMBERS;
  return { key, ...filled, keep: Math.max(filled.keep, LEAST_KEPT) };
}
