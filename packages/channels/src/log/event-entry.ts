/** Which connections of a channel get an entry. Throws nothing that anybody sees. */
export type ConnectionFilter = (connection: object) => boolean;

/** A channel that an entry is for, in this process. */
export interface Target {
  /** Name of the channel. */
  readonly channel: string;
  /** JSON of what this channel gets in place of the entry's own payload; `undefined` for that. */
  readonly text?: string | undefined;
  /** Who of the channel gets it. Default: all. */
  readonly filter?: ConnectionFilter | undefined;
}

/** One event of a service, as this process brings it to its connections. */
export interface EventEntry {
  /** Path of the service. */
  readonly path: string;
  /** Name of the event, for example `created`. */
  readonly event: string;
  /** JSON of the payload: the record as everybody may see it. */
  readonly text: string;
  /** Channels that it is for; a connection in several gets what the first one of them says. */
  readonly targets: readonly Target[];
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
}

/** @returns what clients hear an event by */
export function eventName({ path, event }: { readonly path: string; readonly event: string }): string {
  return `${path} ${event}`;
}

/** Bytes that a channel of an entry takes in memory, about. */
const CHANNEL = 100;

/** @returns bytes of the payloads of an entry, and of the channels that it is for beside the first one */
export function bytesOf({
  text,
  targets,
}: {
  readonly text: string;
  readonly targets: readonly { readonly text?: string | undefined }[];
}): number {
  const channels = Math.max(0, targets.length - 1) * CHANNEL;
  return targets.reduce((sum, target) => sum + Buffer.byteLength(target.text ?? ''), Buffer.byteLength(text) + channels);
}
