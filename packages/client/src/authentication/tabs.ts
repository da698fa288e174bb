import type { Tokens } from './tokens.ts';

/**
 * Listens to the other tabs of this origin, which tell that their login has changed, and where no storage is shared what it is. There are none outside of browsers, and where pages have no `BroadcastChannel`, they find out with the next
 * call that is refused.
 *
 * @param name what they share
 * @param hear called with what another tab tells
 * @returns what tells the others
 */
export function listenToTabs(name: string, hear: (message: Tokens | false | undefined) => void): BroadcastChannel | undefined {
  const { BroadcastChannel: Channel, location }: Partial<Pick<typeof globalThis, 'BroadcastChannel' | 'location'>> = globalThis;
  if (!Channel || !location) return undefined;
  const channel = new Channel(name);
  channel.onmessage = ({ data }: MessageEvent<Tokens | false | undefined>) => hear(data);
  return channel;
}
