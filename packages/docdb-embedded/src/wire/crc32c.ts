/** Remainders of each byte by the polynomial of Castagnoli, in the reversed order of bits. */
const TABLE = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0x82f63b78 : 0);
  return remainder;
});

/** @returns the checksum of a message (CRC-32C, of RFC 3720), which `node:zlib` does not have */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}
