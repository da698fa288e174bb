import { describe, expect, it } from '@jest/globals';
import { describeService, describesItself, describeTransport, framework, transportsOf } from '../../src/index.ts';

describe('describeService', () => {
  it('gives what a service says of itself, registered or not', () => {
    class Reports {
      readonly #text = 'Reports of a day.';
      async find(): Promise<string[]> {
        return [];
      }
      [describesItself](...given: unknown[]): object {
        return { text: this.#text, given };
      }
    }
    const reports = new Reports();
    const app = framework().use('reports', reports);
    for (const service of [reports, app.service('reports')])
      expect(describeService(service)).toEqual({ text: 'Reports of a day.', given: [] });
  });

  it.each([
    ['nothing', {}],
    ['what is no method', { [describesItself]: { text: 'no method' } }],
    ['nothing by its method', { [describesItself]: () => undefined }],
    ['null', { [describesItself]: () => null }],
    ['a text', { [describesItself]: () => 'text' }],
    ['a function', { [describesItself]: () => () => ({ text: 'later' }) }],
  ])('gives nothing of a service that says %s', (_what, service) => {
    expect(describeService(service)).toBeUndefined();
  });
});

describe('describeTransport', () => {
  it('notes transports in the order of their configuration, for one application alone', () => {
    const [app, other] = [framework(), framework()];
    expect(transportsOf(app)).toEqual([]);
    describeTransport(app, { methodPaths: true });
    describeTransport(app, { endpoints: [] });
    expect(transportsOf(app)).toEqual([{ methodPaths: true }, { endpoints: [] }]);
    expect(transportsOf(other)).toEqual([]);
  });
});
