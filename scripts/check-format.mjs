// Whether every file is as Prettier writes it. oxfmt, which is written in Rust, writes the same but for a few forms: it looks at all files first, and
// Prettier decides of those that oxfmt would write in another way (decision 0042).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './pnpm.mjs';

const require = createRequire(import.meta.url);
const programOf = (name) => {
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
};
const start = (name, args, stdio) =>
  spawnSync(process.execPath, [programOf(name), ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio });

const questionable = differing();
// Arguments of a process have a length; of so many files it may look at all.
const files = questionable.length < 500 ? questionable : ['.'];
const checked = files.length === 0 ? 0 : start('prettier', ['--check', '--log-level', 'warn', ...files], 'inherit').status;
console.log(`Prettier was asked of ${files[0] === '.' ? 'all' : files.length} files`);
process.exitCode = checked ?? 1;

/** Files that oxfmt would write in another way, with the settings of Prettier. All where it could not tell, a syntax that it does not know for example. */
function differing() {
  const folder = join(root, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'oxfmtrc.json');
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8')), sortPackageJson: false }));
  const { status, stdout, stderr } = start('oxfmt', ['--config', settings, '--list-different', '.'], 'pipe');
  const listed = stdout.split('\n').filter((line) => line !== '');
  const understood = status === 0 ? listed.length === 0 : status === 1 && listed.length > 0 && stderr.trim() === '';
  return understood && listed.every((file) => existsSync(join(root, file))) ? listed : ['.'];
}
