/** What is asked for in each area: the share of cases with the same answer in per cent, and the kinds of difference that may not be. */
const AREAS = [
  ...['expressions', 'accumulators', 'window', 'query', 'update', 'projection'].map((name) => value(name, [`core/operator/${name}`])),
  value('data types', ['core/data-types']),
  { name: 'stages', least: 98, never: ['wrong answer'], areas: ['core/operator/stages', 'core/operator/system-stages'] },
  { name: 'aggregate, count, distinct', least: 98, never: [], areas: ['core/aggregation/commands'] },
  {
    name: 'find to bulkWrite, cursors, concerns',
    least: 98,
    never: [],
    areas: ['core/query_and_write', 'core/cursors'],
  },
  {
    name: 'create to explain',
    least: 95,
    never: [],
    areas: ['core/collections/commands', ...commands('diagnostic', 'validate', 'explain')],
  },
  { name: 'collation', least: 95, never: [], areas: ['core/collation'] },
  { name: 'indexes', least: 95, never: [], areas: ['core/indexes'] },
  { name: 'views, capped', least: 95, never: [], areas: ['core/collections/views', 'core/collections/capped_collections'] },
  {
    name: 'sessions, hello to killOp',
    least: 95,
    never: [],
    areas: [
      'core/sessions',
      'system/replication',
      ...commands('diagnostic', 'ping', 'buildInfo', 'serverStatus', 'dbStats', 'collStats', 'connectionStatus', 'whatsmyuri'),
      ...commands('administration', 'getParameter', 'currentOp', 'killOp'),
    ],
  },
];

/** Everything that no area names: it is refused. */
const REST = { name: 'everything else', least: 0, never: ['wrong answer', 'accepted'], areas: [] };

/** Stages that are not offered belong to everything else. */
const NOT_OFFERED = ['listClusterCatalog', 'planCacheStats', 'querySettings', 'rankFusion'].map((name) => `core/operator/stages/${name}`);

function value(name, areas) {
  return { name, least: 99, never: ['wrong answer', 'no answer'], areas };
}

function commands(group, ...names) {
  return names.map((name) => `system/${group}/commands/${name}`);
}

const isIn = (area, prefix) => area === prefix || area.startsWith(`${prefix}/`);

function areaOf(area) {
  if (NOT_OFFERED.some((prefix) => isIn(area, prefix))) return REST;
  return AREAS.find(({ areas }) => areas.some((prefix) => isIn(area, prefix))) ?? (area === 'core/operator' ? AREAS[0] : REST);
}

/** Kinds of verdicts, in the order in which they are shown. */
export const COLUMNS = ['same', 'wrong answer', 'accepted', 'other error', 'refused', 'no answer'];

/**
 * @param verdicts pairs of a recorded area and the kind of its verdict
 * @returns lines of a table: for each area that thresholds are given for how many cases are of which kind, beside what is asked for
 */
export function areaTable(verdicts) {
  const rows = new Map([...AREAS, REST].map((area) => [area, Object.fromEntries(COLUMNS.map((column) => [column, 0]))]));
  for (const [area, kind] of verdicts) rows.get(areaOf(area))[kind] += 1;
  const line = (cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(38) : cell.padStart(13))).join('');
  return [
    line(['area', ...COLUMNS, 'per cent', 'at least', '']),
    ...[...rows].map(([{ name, least, never }, row]) => {
      const all = COLUMNS.reduce((sum, column) => sum + row[column], 0);
      const share = all === 0 ? 100 : (100 * row.same) / all;
      const missed = [...(share < least ? ['share'] : []), ...never.filter((kind) => row[kind] > 0)];
      const cells = COLUMNS.map((column) => String(row[column]));
      return line([name, ...cells, share.toFixed(2), String(least), missed.length === 0 ? '  reached' : `  missed: ${missed.join(', ')}`]);
    }),
  ];
}
