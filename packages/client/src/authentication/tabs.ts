import type { Tokens } from './tokens.ts';

/** What tabs tell each other of their login: that it has changed, and where no storage is shared what it is. */
export interface Tabs {
  tell(message: Tokens | false | undefined): void;
  close(): void;
}

/**
 * Listens to the other tabs of this origin. There are none outside of browsers, and where pages have no `BroadcastChannel`, they find out with the next
 * call that is refused.
 *
 * @param name what they share
 * @param hear called with what another tab tells
 */
export function listenToTabs(name: string, hear: (message: Tokens | false | undefined) => void): Tabs | undefined {
  const { BroadcastChannel: Channel, location }: Partial<Pick<typeof globalThis, 'BroadcastChannel' | 'location'>> = globalThis;
  if (!Channel || !location) return undefined;
  const channel = new Channel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Tokens | false | undefined>) => hear(data));
  return { tell: (message) => channel.postMessage(message), close: () => channel.close() };
}
