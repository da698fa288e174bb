import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openapiDocument, type OpenApiDocument, type OpenApiVersion } from '@framework/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import { fixture } from './fixture.ts';
import { startExample, type RunningExample } from './running-example.ts';

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.stop());

const VERSIONS: readonly OpenApiVersion[] = ['3.1', '3.2'];
const onWarning = (): void => undefined;

async function documents(version: OpenApiVersion): Promise<Record<string, OpenApiDocument>> {
  const byHeader = fixture({ onWarning });
  const byPath = fixture({ onWarning }, { methodPaths: true });
  await byHeader.setup();
  await byPath.setup();
  const written = {
    example: await openapiDocument(example.app, { version }),
    byHeader: await openapiDocument(byHeader, { version }),
    byPath: await openapiDocument(byPath, { version }),
  };
  await byHeader.teardown();
  await byPath.teardown();
  return written;
}

describe.each(VERSIONS)('documents of OpenAPI %s', (version) => {
  it('are valid by @seriousme/openapi-schema-validator', async () => {
    for (const [name, document] of Object.entries(await documents(version))) {
      const validator = new Validator();
      const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
      expect([name, result, validator.version]).toEqual([name, { valid: true }, version]);
    }
  });

  it('have no problems by the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off', 'tag-description': 'off' } });
    for (const [name, document] of Object.entries(await documents(version))) {
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      expect([name, problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])]).toEqual([name, []]);
    }
  });
});

it('openapi-typescript makes types of documents, and a client by them makes one call of each kind', async () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'generated-'));
  try {
    cpSync(join(import.meta.dirname, 'generated-client'), folder, { recursive: true });
    const served = (await (await fetch(`${example.url}/openapi.json`, { headers: { accept: 'application/json' } })).json()) as never;
    writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTS(served)));
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const checked = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect([checked.stdout, checked.status]).toEqual(['', 0]);
    const { default: typescript } = await import('typescript');
    const { outputText } = typescript.transpileModule(readFileSync(join(folder, 'calls.ts'), 'utf8'), {
      compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 },
    });
    writeFileSync(join(folder, 'calls.mjs'), outputText);
    const { stdout, stderr } = await run(join(folder, 'calls.mjs'), example.url);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      statuses: [201, 201, 201, 200, 200, 200, 200, 400, 200, 200],
      names: ['Generated'],
      inList: 1,
      populations: [7, 8, 9],
      message: 'validation failed',
      removed: 'Generated',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('openapi-typescript takes all documents of OpenAPI 3.1', async () => {
  for (const [name, document] of Object.entries(await documents('3.1'))) {
    const text = astToString(await openapiTS(JSON.parse(JSON.stringify(document)) as never));
    expect([name, text]).toEqual([name, expect.stringContaining('export interface operations')]);
  }
});

async function run(file: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [file, ...args]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return { stdout, stderr };
}
