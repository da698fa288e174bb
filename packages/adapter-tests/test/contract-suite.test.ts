import { describe, it } from '@jest/globals';
import { MemoryService } from '@framework/adapter-memory';
import { adapterTests, type CaseService } from '../src/index.ts';

adapterTests({
  name: '@framework/adapter-memory',
  id: 'id',
  missing: 9_999,
  create: (options) => new MemoryService({ ...options, startId: 1 } as object) as unknown as CaseService,
  runner: { describe, it },
});
