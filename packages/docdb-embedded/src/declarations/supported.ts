import { accumulatorNames } from '../aggregation/accumulators.ts';
import { operators } from '../aggregation/operators.ts';
import { specialForms } from '../aggregation/special-forms.ts';
import { windowFunctionNames } from '../aggregation/stages/window-functions.ts';
import { logicalOperators } from '../query/matcher.ts';
import { queryOperators } from '../query/value-tests.ts';
import { fieldUpdates } from '../update/update-operators.ts';
import { commandGroups } from './all-commands.ts';
import type { CommandDeclaration } from './command-declaration.ts';
import type { Effect, Fields } from './field.ts';
import { stages } from './stages.ts';

function names(list: Iterable<string>): string {
  return [...list]
    .filter((name) => name !== '$const')
    .sort()
    .map((name) => `\`${name}\``)
    .join(' ');
}

function fieldsOf(fields: Fields, effect: Effect): string {
  return names(Object.keys(fields).filter((name) => fields[name]?.effect === effect)) || '–';
}

/** Commands whose fields name what they are about, and which look at them themselves. */
const PARAMETERS: ReadonlySet<string> = new Set(['getParameter', 'setParameter']);

function row({ name, fields, open }: CommandDeclaration): string {
  const others = PARAMETERS.has(name) ? ' (names of parameters)' : open ? ' (others are taken and mean nothing, as in MongoDB)' : '';
  return `| \`${name}\` | ${fieldsOf(fields, 'honoured')}${others} | ${fieldsOf(fields, 'without effect')} | ${fieldsOf(fields, 'refused')} |`;
}

/** @returns what the server offers, as the list that is published with it */
export function supportedText(): string {
  const commands = Object.entries(commandGroups).flatMap(([title, group]) => [
    `### ${title}`,
    '',
    '| command | fields that count | checked, without effect here | refused |',
    '| --- | --- | --- | --- |',
    ...[...group].sort((a, b) => (a.name < b.name ? -1 : 1)).map(row),
    '',
  ]);
  const offered = Object.keys(stages).filter((name) => stages[name]?.refused === undefined);
  const refused = Object.keys(stages).filter((name) => stages[name]?.refused !== undefined);
  const sections: readonly (readonly [string, string])[] = [
    ['Stages', names(offered)],
    ['Stages that are refused', names(refused)],
    ['Expressions', names(new Set([...Object.keys(operators), ...Object.keys(specialForms)]))],
    ['Accumulators', names(accumulatorNames())],
    ['Window functions, beside the accumulators', names(windowFunctionNames)],
    ['Query operators', names([...Object.keys(queryOperators), ...logicalOperators])],
    [
      'Kinds of indexes',
      '`1` `-1` `hashed` `text` `2d` `2dsphere` and `$**`; of these `text`, `2d`, `2dsphere` and `$**` check what is written, and searches read all documents',
    ],
    ['Update operators', names([...Object.keys(fieldUpdates), '$rename'])],
  ];
  return [
    '# What docdb-embedded offers',
    '',
    'Written by `pnpm --filter @framework/docdb-embedded supported` from the tables that requests are checked against. What is not here is refused with the code of',
    'MongoDB: 59 for a command, 40415 for a field, 40324 for a stage, 168 for an expression, 2 for a query operator, 9 for an update',
    'operator. Every command also takes `comment`, `lsid`, `maxTimeMS`, `readConcern`, `apiVersion` and what drivers add; those that write',
    'take `writeConcern`.',
    '',
    '## Commands',
    '',
    ...commands,
    '## Pipelines, queries and updates',
    '',
    ...sections.flatMap(([title, list]) => [`### ${title}`, '', list, '']),
  ].join('\n');
}
