import { sentenceOf, type ServerDescription } from './describe-server.ts';
import { FEATURES, FEATURE_TITLES, type Feature } from './features.ts';

/** What of the adapter needs each feature. */
const USES: Readonly<Record<Feature, string>> = {
  transactions: '`transaction`, `transactionHook`, services with `durable: true`',
  changeStreams: '`eventLog`: real-time events of several processes, `watch`',
  collation: '`params.collation`',
  text: 'the operator `$text`',
  updatePipelines: 'PUT and nested PATCH of records with hidden parts',
};

/** @returns a table for people, in Markdown, under one sentence */
export function formatDescription(description: ServerDescription): string {
  const rows = FEATURES.map((feature) => [FEATURE_TITLES[feature], description.features[feature], USES[feature]]);
  const head = ['feature', 'here', 'needed by'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [sentenceOf(description), '', line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
