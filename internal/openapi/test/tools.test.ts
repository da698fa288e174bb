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

const written = new Map<OpenApiVersion, Promise<Readonly<Record<string, OpenApiDocument>>>>();
/** All documents of a version, which are written once for all tools. */
function documents(version: OpenApiVersion): Promise<Readonly<Record<string, OpenApiDocument>>> {
  const known = written.get(version) ?? write(version);
  written.set(version, known);
  return known;
}

async function write(version: OpenApiVersion): Promise<Record<string, OpenApiDocument>> {
  const byHeader = fixture({ onWarning });
  const byPath = fixture({ onWarning }, { methodPaths: true });
  await byHeader.setup();
  await byPath.setup();
  const made = {
    example: await openapiDocument(example.app, { version }),
    byHeader: await openapiDocument(byHeader, { version }),
    byPath: await openapiDocument(byPath, { version }),
  };
  await byHeader.teardown();
  await byPath.teardown();
  return made;
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

it('openapi-typescript takes all documents of OpenAPI 3.1', async () => {
  for (const [name, document] of Object.entries(await documents('3.1'))) {
    const text = astToString(await openapiTS(JSON.parse(JSON.stringify(document)) as never));
    expect([name, text]).toEqual([name, expect.stringContaining('export interface operations')]);
  }
});
