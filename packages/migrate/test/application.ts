import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { planMigration, type MigrationPlan } from '../src/index.ts';

/** An application of a few files, in a folder of its own. */
export class TestApplication {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'migrate '));

  /** @param files texts by paths; there is a `package.json` that depends on FeathersJS unless one is given */
  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    const manifest = { name: 'app', type: 'module', dependencies: { '@feathersjs/feathers': '^5.0.50', winston: '^3.0.0' } };
    for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest, undefined, 2), ...files })) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      writeFileSync(join(this.folder, file), text);
    }
  }

  plan(): MigrationPlan {
    return planMigration(this.folder);
  }

  /** All files with their texts. */
  get files(): Record<string, string> {
    const found = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      found.map(({ parentPath, name }) => [
        join(parentPath, name).slice(this.folder.length + 1),
        readFileSync(join(parentPath, name), 'utf8'),
      ]),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What becomes of one source. */
export function changed(
  text: string,
  file = 'src/app.ts',
): { readonly text: string; readonly left: string[]; readonly blockers: string[] } {
  const application = new TestApplication({ [file]: text });
  try {
    const { changes, left, blockers } = application.plan();
    const told = (remarks: MigrationPlan['left']): string[] => remarks.map(({ line, reason }) => `${String(line)}: ${reason}`);
    return { text: changes.find((change) => change.file === file)?.after ?? text, left: told(left), blockers: told(blockers) };
  } finally {
    application.remove();
  }
}
