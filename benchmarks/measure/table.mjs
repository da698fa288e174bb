/** Lines of a Markdown table. */
export function table(head, rows) {
  return ['', `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}

/** A ratio with the lowest and the highest of its rounds. */
export function withSpread(value, low, high, digits = 2) {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
