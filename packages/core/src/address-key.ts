import { isIPv6 } from 'node:net';

/**
 * What attempts, connections and so on of a network address are counted under: the address, or for IPv6 the network that one customer has. Some
 * proxies say the port too, which is another one with each connection.
 *
 * @param address as a transport gives it
 */
export function addressKey(address: string): string {
  const [, bracketed, v4] = WITH_PORT.exec(address) ?? [];
  const [plain = address] = (bracketed ?? v4 ?? address).split('%', 1);
  if (!isIPv6(plain)) return v4 ?? address;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join(':') === MAPPED) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;
/** Begin of an IPv6 address that stands for one of IPv4. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff].join(':');

/** @returns the eight numbers of an IPv6 address */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [numbersIn(head), numbersIn(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0);
  return [...before, ...zeros, ...after];
}

function numbersIn(text: string): number[] {
  return text
    .split(':')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [a, b, c, d] = part.split('.').map(Number);
      return a !== undefined && b !== undefined && c !== undefined && d !== undefined ? [a * 256 + b, c * 256 + d] : [parseInt(part, 16)];
    });
}
