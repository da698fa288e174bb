// Jest reporter: writes the counts of one package, and what its tests left out, for the closing line of the whole run.
const { mkdirSync, readFileSync, existsSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    const folder = join(root, '.test-results');
    mkdirSync(folder, { recursive: true });
    const packageName = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')).name;
    const { EXPRESS_VERSION, DISPATCH } = process.env;
    const variant = EXPRESS_VERSION ? ` (Express ${EXPRESS_VERSION})` : DISPATCH ? ` (dispatch by ${DISPATCH})` : '';
    const name = packageName + variant;
    const broken = results.testResults.filter((file) => file.testExecError).length;
    const notesFile = join(process.cwd(), '.test-notes');
    const notes = existsSync(notesFile) ? [...new Set(readFileSync(notesFile, 'utf8').split('\n').filter(Boolean))] : [];
    rmSync(notesFile, { force: true });
    const counts = { name, passed: results.numPassedTests, failed: results.numFailedTests + broken, notes };
    writeFileSync(join(folder, `${name.replace(/[^\w]+/g, '-')}.json`), JSON.stringify(counts));
  }
};
