import { Random, Variety } from '@framework-internal/random';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { API, PAGE } from '../harness.ts';
import { isFlow, namesOf, PASSWORD, PROVIDERS, World, type Flow, type Person, type ProviderName } from './world.ts';

const STEPS = Number(process.env.MODEL_STEPS ?? 400);
const SEED = Number(process.env.MODEL_SEED ?? 20_260_115);
/** Steps after which everybody is new. */
const EPISODE = 60;

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await startDatabase();
  world = await World.start(database);
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

it(`S29 S30 O1-O10 nobody is ever logged in as somebody else: ${STEPS} steps of two browsers and an attacker`, async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  let now = '';
  const expectIs = (found: unknown, wanted: unknown): void => expect([now, found]).toEqual([now, wanted]);

  const person = (): Person => random.pick(world.people);
  const eve = (): Person => world.people.at(-1) as Person;
  const victim = (): Person => random.pick(world.people.slice(0, 2));
  const other = (name: ProviderName): ProviderName => (name === 'one' ? 'two' : 'one');
  const openFlow = (of: (flow: Flow) => boolean = () => true): Flow | undefined => {
    const found = world.flows.filter((flow) => world.isOpen(flow) && of(flow));
    return found.length === 0 ? undefined : random.pick(found);
  };

  /** What the end of a flow must be, by what is known of it. */
  const expected = async (flow: Flow): Promise<string> => {
    if (!world.isOpen(flow)) return 'expired';
    if (flow.link !== undefined && !(await world.isLoggedIn(flow.link.token))) return 'expired';
    if (flow.spoiled) return 'failed';
    const known = await world.entityOf(flow.provider, flow.owner.name);
    return flow.link !== undefined && known !== undefined && String(known._id) !== flow.link.user ? 'already-linked' : 'ticket';
  };
  const end = (answer: Readonly<Record<string, string>>): string => (answer.access_token === undefined ? String(answer.error) : 'ticket');

  const begin = async (owner: Person, link = false, provider: ProviderName = random.pick(PROVIDERS)): Promise<Flow | undefined> => {
    const redirect = random.pick(['', '', '/home', '//evil.com', 'https://evil.com', '@evil.com', '/\\evil.com']);
    const begun = await world.begin(owner, provider, { bound: random.oneIn(3), link, redirect });
    expectIs(isFlow(begun), redirect === '' || redirect === '/home');
    if (isFlow(begun)) return begun;
    expectIs(begun.status, 400);
    return undefined;
  };

  const complete = async (flow: Flow): Promise<void> => {
    const wanted = await expected(flow);
    const answer = await world.finish(flow.owner, flow.callback);
    expectIs(end(answer), wanted);
    const { location } = flow.owner.browser.seen.at(-1)?.answer.headers ?? {};
    if (location !== undefined) expectIs(new URL(location).origin, PAGE);
    flow.used = true;
    variety.took(`ended: ${wanted}`);
    if (wanted !== 'ticket') return;
    const entity = await world.entityOf(flow.provider, flow.owner.name);
    world.tickets.push({
      owner: flow.owner,
      text: String(answer.access_token),
      verifier: flow.verifier,
      user: String(entity?._id),
      dead: false,
    });
  };

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    begin: async () => void (await begin(person())),
    complete: async () => {
      const flow = openFlow();
      if (flow) await complete(flow);
    },
    'complete again': async () => {
      const flow = world.flows.find(({ used }) => used);
      if (!flow) return;
      flow.owner.browser.jar(API).set(flow.cookie.name, flow.cookie.value);
      const before = world.exchanged;
      expectIs([end(await world.finish(flow.owner, flow.callback)), world.exchanged], ['expired', before]);
      flow.owner.browser.jar(API).delete(flow.cookie.name);
      variety.took('replayed');
    },
    exchange: async () => {
      const ticket = world.tickets.find(({ dead }) => !dead);
      if (!ticket) return;
      const answer = await world.exchange(ticket.text, ticket.verifier);
      expectIs([answer.status, ...new Set(namesOf(answer.body.user ?? {}))], [201, ticket.owner.name]);
      Object.assign(ticket.owner, { token: String(answer.body.accessToken), user: String(answer.body.user._id) });
      ticket.dead = true;
      variety.took('logged in');
    },
    'a ticket is stolen': async () => {
      const [ticket] = world.tickets.filter(({ dead, verifier }) => dead || verifier !== undefined).slice(-1);
      if (!ticket) return;
      const guess = random.pick([undefined, 'x'.repeat(43)]);
      expectIs((await world.exchange(ticket.text, ticket.dead ? ticket.verifier : guess)).status, 401);
      variety.took(ticket.dead ? 'a used ticket' : 'a bound ticket');
      ticket.dead = true;
    },
    'an answer is stolen': async () => {
      const flow = openFlow(({ owner }) => owner !== eve());
      if (!flow) return;
      const before = world.exchanged;
      expectIs([end(await world.finish(eve(), flow.callback)), world.exchanged], ['expired', before]);
      variety.took('stolen');
    },
    'an answer is forced on a victim': async () => {
      const flow = openFlow(({ owner }) => owner === eve());
      if (!flow) return;
      const before = world.exchanged;
      expectIs([end(await world.finish(victim(), flow.callback)), world.exchanged], ['expired', before]);
      variety.took('forced');
    },
    'a code is put into another flow': async () => {
      const stolen = openFlow(({ owner, spoiled }) => owner !== eve() && !spoiled) ?? (await begin(victim()));
      const own =
        stolen &&
        (openFlow(({ owner, provider }) => owner === eve() && provider === stolen.provider) ??
          (await begin(eve(), false, stolen.provider)));
      if (!stolen || !own || !world.isOpen(own)) return;
      const wanted = await expected(own);
      const mixed = new URL(own.callback);
      mixed.searchParams.set('code', String(stolen.callback.searchParams.get('code')));
      // A provider that does not know PKCE: the nonce is what is left.
      world.providers[own.provider].does = random.oneIn(2) ? { ignoresPkce: true } : {};
      const answer = await world.finish(eve(), mixed);
      world.providers[own.provider].does = {};
      expectIs(end(answer), wanted === 'expired' ? 'expired' : 'failed');
      own.used = true;
      stolen.spoiled = stolen.spoiled || wanted !== 'expired';
      variety.took('injected');
    },
    'an answer goes to the other provider': async () => {
      const flow = openFlow();
      if (!flow) return;
      const before = world.exchanged;
      const swapped = new URL(flow.callback.href.replace(`/${flow.provider}/`, `/${other(flow.provider)}/`));
      expectIs([end(await world.finish(flow.owner, swapped)), world.exchanged], ['expired', before]);
      variety.took('swapped provider');
    },
    'a provider sends browsers to the other': async () => {
      const flow = openFlow(({ owner }) => owner !== eve());
      if (!flow) return;
      const target = other(flow.provider);
      const elsewhere = new URL(flow.authorization.search, world.providers[target].issuer + '/auth');
      elsewhere.searchParams.set('redirect_uri', `${API}/oauth/${random.pick(PROVIDERS)}/callback`);
      const callback = await world.authorize(flow.owner, target, elsewhere);
      const before = world.exchanged;
      const answer = await world.finish(flow.owner, callback);
      expectIs(['expired', 'failed'].includes(end(answer)), true);
      expectIs(world.exchanged, before);
      if (end(answer) === 'failed') flow.used = true;
      variety.took('mixed up');
    },
    'cookies are swapped': async () => {
      const flow = openFlow();
      const second = flow && (openFlow((one) => one !== flow && one.owner === flow.owner) ?? (await begin(flow.owner)));
      if (!flow || !second || !world.isOpen(flow)) return;
      const jar = flow.owner.browser.jar(API);
      jar.set(second.cookie.name, flow.cookie.value);
      const before = world.exchanged;
      expectIs([end(await world.finish(flow.owner, second.callback)), world.exchanged], ['expired', before]);
      jar.set(second.cookie.name, second.cookie.value);
      variety.took('swapped cookies');
    },
    'a profile is sent': async () => {
      const { name } = victim();
      const data = {
        strategy: random.pick(PROVIDERS),
        profile: { sub: name, id: name },
        access_token: `access-of-${name}`,
        raw: { sub: name },
      };
      expectIs((await sendJson(world.shop.url, 'POST', '/authentication', data)).status, 401);
      const before = world.exchanged;
      const answer = await eve().browser.request(
        `${API}/oauth/${data.strategy}/callback?profile[sub]=${name}&access_token=access-of-${name}`,
      );
      expectIs([answer.status, world.exchanged], [401, before]);
    },
    link: async () => {
      const owner = person();
      if (owner.token === undefined || !(await world.isLoggedIn(owner.token))) await world.logInLocal(owner);
      const flow = await begin(owner, true);
      if (flow && random.oneIn(2)) await complete(flow);
      variety.took('link');
    },
    'log out': async () => {
      const owner = person();
      if (owner.token === undefined) return;
      await sendJson(world.shop.url, 'DELETE', '/authentication', undefined, { authorization: `Bearer ${owner.token}` });
      owner.token = undefined;
      variety.took('logged out');
    },
    'log out everywhere': async () => {
      const ticket = world.tickets.find(({ dead }) => !dead);
      if (!ticket) return;
      await world.shop.authentication.sessions?.endAll(ticket.user);
      for (const one of world.tickets.filter(({ dead, user }) => !dead && user === ticket.user)) {
        expectIs((await world.exchange(one.text, one.verifier)).status, 401);
        one.dead = true;
      }
      for (const one of world.people) if (one.user === ticket.user) one.token = undefined;
      variety.took('logged out everywhere');
    },
    'an address is taken first': async () => {
      const name = `new${random.below(1_000_000)}`;
      const isOwn = random.oneIn(2);
      await world.shop.app
        .service('users')
        .create({ email: `${name}@example.com`, password: PASSWORD, person: isOwn ? name : 'eve', emailVerified: isOwn });
      const late: Person = { name, browser: world.shop.browser(), token: undefined, user: '' };
      const begun = await world.begin(late, random.pick(PROVIDERS), { bound: false, link: false, redirect: '' });
      if (!isFlow(begun)) throw new Error(begun.text);
      const answer = await world.finish(late, begun.callback);
      expectIs(end(answer), isOwn ? 'ticket' : 'account-exists');
      variety.took(isOwn ? 'own address' : 'taken address');
    },
  };

  const names = [...Object.keys(steps), 'begin', 'begin', 'begin', 'complete', 'complete', 'exchange', 'link'];
  for (let number = 0; number < STEPS; number++) {
    if (number > 0 && number % EPISODE === 0) await world.reset();
    const name = random.pick(names);
    now = `step ${number} of seed ${SEED}: ${name}`;
    variety.took(name);
    variety.tried(
      `${name} ${world.flows.map((flow) => `${flow.owner.name[0] ?? ''}${flow.provider[0] ?? ''}${world.isOpen(flow) ? 1 : 0}`).join('')}`,
    );
    await steps[name]?.();
    expectIs(await world.mixed(), []);
  }

  process.stdout.write(`${variety.report(`logins at providers, ${STEPS} steps`, SEED)}\n`);
  const least = Math.floor(STEPS / 200);
  const wanted = [
    'ended: ticket',
    'logged in',
    'replayed',
    'stolen',
    'forced',
    'injected',
    'swapped provider',
    'mixed up',
    'swapped cookies',
    'link',
  ];
  variety.expect(
    STEPS / 3,
    Object.fromEntries([...wanted, 'a used ticket', 'taken address', 'own address', 'logged out'].map((name) => [name, least])),
  );
});
