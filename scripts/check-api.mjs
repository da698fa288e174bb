// Writes what each package exports, with its types, into docs/api, so that a change of a public name shows in the diff. Without
// `--update` it fails when the files say something else. Needs built packages.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import extractor from '@microsoft/api-extractor';
import { publishedPackages } from './packages.mjs';
import { root } from './pnpm.mjs';

const { CompilerState, Extractor, ExtractorConfig } = extractor;
const update = process.argv.includes('--update');
const reports = join(root, 'docs/api');
mkdirSync(reports, { recursive: true });
const temp = mkdtempSync(join(tmpdir(), 'api-'));
const expected = new Set();
const problems = [];
try {
  const packages = publishedPackages().map((published) => ({ ...published, config: configOf(published) }));
  // One program for all of them: each would read the same files again.
  const compilerState = CompilerState.create(packages[0].config, {
    additionalEntryPoints: packages.map(({ config }) => config.mainEntryPointFilePath),
  });
  for (const published of packages) check(published, compilerState);
} finally {
  rmSync(temp, { recursive: true, force: true });
}
for (const file of readdirSync(reports)) if (!expected.has(file)) problems.push(`docs/api/${file} is of no package`);
for (const problem of problems) console.error(problem);
console.log(`${expected.size} packages, ${problems.length} whose API is not the one in docs/api${update ? '; all files are written' : ''}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function check({ name, config }, compilerState) {
  const file = `${name.split('/').at(-1)}.md`;
  expected.add(file);
  const report = reportOf(name, config, compilerState);
  const path = join(reports, file);
  if (update) writeFileSync(path, report);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== report) {
    problems.push(`docs/api/${file} is not what ${name} exports: \`pnpm update:api\` writes it, and the diff is to be reviewed`);
  }
}

function configOf({ folder }) {
  const silent = { default: { logLevel: 'none', addToApiReportFile: false } };
  return ExtractorConfig.prepare({
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, 'dist/index.d.ts'),
      compiler: { overrideTsconfig: compilerOptions() },
      newlineKind: 'lf',
      apiReport: { enabled: true, reportFileName: 'report.api.md', reportFolder: temp, reportTempFolder: temp },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
}

function reportOf(name, config, compilerState) {
  const messageCallback = (message) => void (message.handled = true);
  const { errorCount } = Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
  if (errorCount > 0) throw new Error(`The API of ${name} can not be read`);
  return readFileSync(join(temp, 'report.api.md'), 'utf8');
}

function compilerOptions() {
  return {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
    },
  };
}
