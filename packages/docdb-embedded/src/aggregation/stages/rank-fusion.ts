import type { Doc } from '../../bson/values.ts';
import { roughSize } from '../../spill/rough-size.ts';
import { checkRanking } from '../check-ranking.ts';
import { checkKept } from '../in-order.ts';
import type { StageCompiler, Vars } from '../pipeline-types.ts';
import { pipelinesOf, RankFusion } from '../rank-fusion.ts';
import { atOnce, type InTurns } from './in-turns.ts';

/** Its pipelines find their documents by themselves; inside of other stages they choose of those that come. */
export const rankFusion: StageCompiler = (operand, context) => {
  const { host, scope, open } = context;
  for (const [name, pipeline] of pipelinesOf(operand)) checkRanking(name, pipeline);
  const fusion = new RankFusion(operand, scope.collator);
  if (!open) {
    const pipelines = fusion.rankings.map(({ stages }) => context.compile(stages, context));
    const whole = function* (docs: Doc[], vars: Vars): InTurns<Doc[]> {
      const found: Doc[][] = [];
      for (const { turns } of pipelines) found.push(yield* turns([...docs], vars));
      return fusion.fuse(found);
    };
    return { run: (docs, vars) => atOnce(whole(docs, vars)), whole };
  }
  const collection = { name: host.ns.slice(host.ns.indexOf('.') + 1), database: undefined };
  const sources = fusion.rankings.map(({ stages }) => open({ collection, stages }));
  return {
    run: (docs) => docs,
    async *more() {
      const found: Doc[][] = [];
      let bytes = 0;
      for (const source of sources) {
        const docs: Doc[] = [];
        for await (const some of source())
          for (const doc of some) {
            docs.push(doc);
            bytes += roughSize(doc);
            checkKept('$rankFusion', bytes);
          }
        found.push(docs);
      }
      yield fusion.fuse(found);
    },
  };
};
