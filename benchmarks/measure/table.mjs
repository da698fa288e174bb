/** Lines of a Markdown table. */
export function table(head, rows) {
  return ['', `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}

/** A median with its interval, as `pairs.mjs` gives them. */
export function withInterval({ value, low, high }, digits = 2) {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
