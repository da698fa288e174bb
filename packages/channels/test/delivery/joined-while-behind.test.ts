import { describe, expect, it } from '@jest/globals';
import { realTimeOf } from '../../src/index.ts';
import { create, open, type App, type Listener } from '../listener.ts';

const numbersOf = ({ texts }: Listener): number[] => texts.map((text) => (text as { number: number }).number);

function tell(app: App, to: string, number: number): void {
  app.service('notes').emit('created', { to, number });
}

function createByChannel(options: object = {}): App {
  const app = create({ maxBuffer: 10, ...options });
  app.service('notes').publish(({ to }: { to: string }) => app.channel(...to.split(' ')).filter(() => true));
  return app;
}

/** One that is in a channel and does not read: event 0 was the last that it got at once. */
function slowIn(app: App, channel: string): Listener {
  const listener = open(app);
  app.channel(channel).join(listener.connection);
  tell(app, channel, 0);
  listener.queued = 11;
  tell(app, channel, 1);
  return listener;
}

function read(listener: Listener): void {
  listener.queued = 0;
  listener.drained();
}

describe('a connection that reads slowly', () => {
  it('S35 gets nothing of a channel from before it joined, as one that reads at once', () => {
    const app = createByChannel();
    const slow = slowIn(app, 'a');
    tell(app, 'b', 2);
    tell(app, 'c a', 3);
    app.channel('b', 'c').join(slow.connection);
    tell(app, 'b', 4);
    read(slow);
    expect(numbersOf(slow)).toEqual([0, 1, 3, 4]);
  });

  it('S35 gets nothing of a channel from when it had left it, and what came before and behind', () => {
    const app = createByChannel();
    const slow = slowIn(app, 'a');
    app.channel('a').leave(slow.connection);
    tell(app, 'a', 2);
    app.channel('a').join(slow.connection);
    tell(app, 'a', 3);
    app.channel('a').leave(slow.connection);
    tell(app, 'a', 4);
    tell(app, 'a', 5);
    app.channel('a').join(slow.connection);
    tell(app, 'a', 6);
    read(slow);
    expect(numbersOf(slow)).toEqual([0, 1, 3, 6]);
  });

  it('misses nothing of a channel that it leaves and joins at once, as for a new role', () => {
    const app = createByChannel();
    const slow = slowIn(app, 'a');
    app.channel(app.channels).leave(slow.connection);
    app.channel('a', 'b').join(slow.connection);
    tell(app, 'b', 2);
    read(slow);
    expect(numbersOf(slow)).toEqual([0, 1, 2]);
    tell(app, 'a', 3);
    slow.queued = 11;
    tell(app, 'a', 4);
    read(slow);
    expect(numbersOf(slow)).toEqual([0, 1, 2, 3, 4]);
  });

  it('S35 has come back, and its time to catch up is over: it gets nothing of a channel from before it joined', async () => {
    const app = createByChannel({ catchUp: 20 });
    const first = open(app);
    app.channel('a').join(first.connection);
    tell(app, 'a', 0);
    app.emit('disconnect', first.connection);
    tell(app, 'a', 1);
    tell(app, 'b', 2);
    const again = open(app, first.position);
    app.channel('a').join(again.connection);
    again.queued = 11;
    realTimeOf(app).hub.ready(again.connection);
    await new Promise((resolve) => setTimeout(resolve, 60));
    app.channel('b').join(again.connection);
    tell(app, 'b', 3);
    read(again);
    expect(numbersOf(again)).toEqual([1, 3]);
  });
});
