/**
 * Refuses what Express takes, and nobody means: with it the address of each client is that of the proxy, and all of them are bounded together.
 *
 * @param setting `trust proxy`
 * @throws Error that names what to mend
 * @see security S24
 */
export function checkTrustedProxies(setting: unknown): void {
  if (typeof setting === 'number' && !(Number.isSafeInteger(setting) && setting >= 0))
    throw new Error(
      `The setting 'trust proxy' is ${String(setting)}: it has to be the number of proxies in front, from 0 on. Is the variable set that it comes from?`,
    );
  const parts: unknown[] = Array.isArray(setting) ? setting : typeof setting === 'string' ? setting.split(',') : [];
  const number = parts.map((part) => String(part).trim()).find((part) => /^\d+$/.test(part));
  if (number === undefined) return;
  throw new Error(
    `The setting 'trust proxy' holds the text '${number}', which Express takes for an address: the number of proxies is a number, Number(process.env.PROXIES)`,
  );
}
