import { adapterTests, type CaseOptions, type CaseService } from '@framework/adapter-tests';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());

let services = 0;
/** Each service has a collection of its own: cases make several. */
function create(options: CaseOptions): CaseService {
  services += 1;
  return harness.service({ ...options, Model: harness.database.db.collection(`contract${services}`) } as object) as unknown as CaseService;
}

adapterTests({ name: 'DocDbService', id: '_id', missing: 9_999, create, runner: { describe, it } });
