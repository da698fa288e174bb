import { Random, Variety } from '@framework-internal/random';
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

/** An event, and which channels the connection was in when it was published. */
interface Told {
  readonly number: number;
  readonly targets: readonly string[];
  readonly members: ReadonlySet<string>;
}

/** One connection that joins and leaves channels while it reads at random, beside a plain record of what it is to get. */
class Reader {
  readonly expected: number[] = [];
  readonly variety: Variety;
  readonly #random: Random;
  readonly #app = createByChannel();
  readonly #listener = open(this.#app);
  readonly #members = new Set<string>();
  #pending: Told[] = [];
  #isBehind = false;
  #count = 0;

  constructor(random: Random, variety: Variety) {
    this.#random = random;
    this.variety = variety;
  }

  get got(): number[] {
    return numbersOf(this.#listener);
  }

  step(): string {
    const channel = this.#random.pick(['a', 'b', 'c']);
    const what = this.#random.pick(['join', 'leave', 'tell', 'tell', 'tell', 'fill', 'read']);
    if (what === 'join') this.#join(channel);
    else if (what === 'leave') this.#leave(channel);
    else if (what === 'tell') this.#tell(this.#random.oneIn(3) ? [channel, this.#random.pick(['a', 'b', 'c'])] : [channel]);
    else if (what === 'fill') this.#listener.queued = 11;
    else this.#read(1 + this.#random.below(4));
    return `${what} ${channel}`;
  }

  #join(channel: string): void {
    if (this.#isBehind) this.variety.took('joined while behind');
    this.#app.channel(channel).join(this.#listener.connection);
    this.#members.add(channel);
  }

  #leave(channel: string): void {
    if (this.#isBehind) this.variety.took('left while behind');
    this.#app.channel(channel).leave(this.#listener.connection);
    this.#members.delete(channel);
  }

  #tell(targets: readonly string[]): void {
    const told = { number: this.#count++, targets, members: new Set(this.#members) };
    const isFor = targets.some((target) => this.#members.has(target));
    if (!this.#isBehind && isFor && this.#listener.queued === 0) this.expected.push(told.number);
    else if (this.#isBehind || isFor) {
      this.#isBehind = true;
      this.#pending.push(told);
    }
    tell(this.#app, targets.join(' '), told.number);
  }

  /** It takes so many messages, and is full again. */
  #read(most: number): void {
    let left = most;
    this.#listener.queued = 0;
    this.#listener.sent = () => {
      if (--left === 0) this.#listener.queued = 11;
    };
    this.#expectRead(most);
    this.#listener.drained();
    this.#listener.sent = () => undefined;
    if (!this.#isBehind) this.#listener.queued = 0;
  }

  #expectRead(most: number): void {
    let left = most;
    let dealtWith = -1;
    for (const { number, targets, members } of this.#pending) {
      const present = targets.filter((target) => this.#members.has(target));
      if (present.length === 0) continue;
      if (left === 0) {
        this.variety.took('full again');
        this.#pending = this.#pending.filter((told) => told.number > dealtWith);
        return;
      }
      dealtWith = number;
      if (present.some((target) => members.has(target))) {
        this.expected.push(number);
        left -= 1;
      } else this.variety.took('of when it was not in it');
    }
    this.#pending = [];
    this.#isBehind = false;
  }
}

it('S35 a connection that joins, leaves and reads at random gets of each channel what was published while it was in it', () => {
  const seed = Number(process.env.ABSENCE_SEED ?? 20_261_130);
  const runs = Number(process.env.ABSENCE_ROUNDS ?? 200);
  const random = new Random(seed);
  const variety = new Variety();
  for (let run = 0; run < runs; run++) {
    const reader = new Reader(random, variety);
    const steps = Array.from({ length: 60 }, () => {
      const step = reader.step();
      expect(reader.got).toEqual(reader.expected);
      return step;
    });
    variety.tried(steps.join());
  }
  console.log(variety.report('channels while behind', seed));
  variety.expect(runs * 0.9, {
    'joined while behind': runs,
    'left while behind': runs,
    'full again': runs / 2,
    'of when it was not in it': runs / 3,
  });
});
