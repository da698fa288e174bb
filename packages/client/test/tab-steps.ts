// What the programs of two tabs share: the address tells which of them this is, and the server lets neither go ahead of the other.
const [rounds = '', tab = ''] = location.search.slice(1).split('-').reverse();

/** Whether this is the tab that logs in and out. */
export const isFirst = tab === '1';
export const ROUNDS = Number(rounds);
export const LOGIN = { strategy: 'local', email: 'ann@example.com', password: 'correct horse' };

/** Resolves once the other tab is there too. */
export async function meet(where: string): Promise<void> {
  await fetch(`/meet?${where}`, { method: 'POST' });
}

/** Runs the program of a tab, and tells the server what it has seen. */
export async function tellOf(run: () => Promise<object>): Promise<void> {
  const outcome = await run().catch((error: unknown) => ({ error: String(error) }));
  await fetch('/seen', { method: 'POST', body: JSON.stringify({ tab, ...outcome }) });
}
