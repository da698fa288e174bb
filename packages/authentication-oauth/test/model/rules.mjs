// Takes the rules that logins at providers depend on out of the source, one at a time, and looks whether a test notices.
// `pnpm --filter @framework/authentication-oauth model:rules`; RULE=name for one of them, `--check` to see that they are there.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeOutRules } from '../../../../scripts/take-out-rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Name of a rule: file, what it says there, what is said without it, and the test that is to notice. Default: the model. */
const RULES = {
  'a state counts once': [
    'services/callback-service.ts',
    "await this.#host.used.first('state', record.state, FLOW_AGE)",
    'await Promise.resolve(true)',
  ],
  'the flow is the one of the state': ['flow/flow-cookies.ts', 'flow && isSame(flow.record.state, state)', 'flow'],
  'the flow is of the provider': [
    'services/callback-service.ts',
    `record?.provider === provider.settings.name &&
      record.server === provider.server &&
      record.client === provider.settings.clientId &&
      record.redirectUri === host.redirectUri(provider)`,
    'record !== undefined',
  ],
  'the nonce is that of the flow': ['provider/provider.ts', '...(this.#hasNonce ? { expectedNonce: flow.nonce } : {}),', '', 'attacks'],
  'signatures are verified': [
    'provider/provider.ts',
    "if (isOpenId) await this.#checkSignature(configuration, tokens.id_token ?? '');",
    '',
    'bad-provider',
  ],
  'the profile is that of a flow': [
    'strategy/oauth-strategy.ts',
    'const login = providerLogin(data);',
    'const login = providerLogin(data) ?? (data.profile ? { redeem: async () => ({ ...data }), link: undefined } : undefined);',
  ],
  'a ticket counts once': [
    'ticket/tickets.ts',
    "return { kind: 'oauth-ticket', usedAt: null, holderScope: scopeText(scope) };",
    "return { kind: 'oauth-ticket', holderScope: scopeText(scope) };",
  ],
  'a ticket is for the page that it is bound to': ['ticket/tickets.ts', '|| !isVerified(found.challenge, verifier)', ''],
  'a ticket ends with the sessions of its user': ['ticket/tickets.ts', 'if (epoch !== found.epoch) throw invalid();', 'void epoch;'],
  'a ticket lives for a minute': ['ticket/tickets.ts', '|| this.#isOver(found)', '', 'answers'],
  'an identity is never moved': [
    'strategy/oauth-strategy.ts',
    'if (current && known && String(current[id]) !== String(known[id])) throw alreadyLinked();',
    'void id;',
  ],
  'a link ends with its login': [
    'services/callback-service.ts',
    'if (record.link) await checkStillLoggedIn(authentication, record.link, linkStrategy);',
    '',
  ],
  'an address that nobody has verified links nothing': [
    'strategy/first-logins.ts',
    'if (!mayLink || !isOpenTo(found, email, { ...fields, identity })) throw accountExists();',
    'void [mayLink, isOpenTo];',
    'link-by-email',
  ],
  'an account has its verified address when it is taken': [
    'strategy/first-logins.ts',
    'copyParams(params, { query })',
    'copyParams(params, { query: { [host.identity]: query[host.identity] ?? null } })',
    'first-logins',
  ],
  'who is written otherwise is somebody else': [
    'strategy/subject.ts',
    "typeof stored !== 'string' || typeof asked !== 'string' || stored === asked",
    'typeof stored === typeof asked',
    'first-logins',
  ],
  'a redirect is looked at when it begins': [
    'services/oauth-service.ts',
    "if (base !== '') redirectTarget(base, redirect, host.settings);",
    'void redirectTarget;',
  ],
  'a redirect is looked at when it ends': [
    'strategy/oauth-strategy.ts',
    "const target = redirectTarget(base, params.redirect ?? '', oauth);",
    'const target = redirectTarget.length > 0 && params.redirect ? String(params.redirect) : base;',
    'attacks',
  ],
  'identities are written by the server alone': [
    'strategy/oauth-strategy.ts',
    'readOnly: [this.#idField, ...(isLinked ? [verified] : [])]',
    'readOnly: []',
    'linking',
  ],
  'who has no name is nobody': [
    'strategy/subject.ts',
    "throw new NotAuthenticated('The provider does not say who has logged in', { error: 'failed' });",
    'void NotAuthenticated; return String(subject);',
    'incumbent',
  ],
  'who is disabled logs in nowhere': [
    'strategy/oauth-strategy.ts',
    "if (isDisabled(entity, disabledField === undefined ? 'disabled' : disabledField))",
    'if (isDisabled(undefined, String(disabledField)))',
    'linking',
  ],
  'answers are bounded': ['provider/bounded-fetch.ts', 'if (length > BOUNDS.bytes)', 'if (length > 64 * BOUNDS.bytes)', 'bad-provider'],
  'an ID token counts once': [
    'strategy/id-tokens.ts',
    "for (const one of used) if (!(await one.first('id-token', signedPart(idToken), AGE + 120))) throw refused();",
    'void [used, signedPart];',
    'tokens',
  ],
  'an ID token counts once between the authentication services of an application': [
    'oauth.ts',
    '[host.used, ...host.usedBeside]',
    '[host.used]',
    'two-services',
  ],
  'an ID token has the nonce of its client': [
    'strategy/id-tokens.ts',
    'if (claims.nonce !== nonce || isForOthers) throw refused();',
    'void isForOthers;',
    'tokens',
  ],
  'a logout token says that it is one': [
    'services/backchannel-service.ts',
    'nonce === undefined && isRecord(event) &&',
    'isRecord({ nonce, event }) &&',
    'tokens',
  ],
  'a scoped token links nothing': [
    'services/oauth-service.ts',
    'if (property(payload, SCOPES_CLAIM) !== undefined)',
    'if (SCOPES_CLAIM.length < 0)',
    'linking',
  ],
};

/** @returns what the test says: nothing when it passes */
function run(test) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', '../../node_modules/jest/bin/jest.js', test, '--forceExit', '--bail'],
    { cwd: root, encoding: 'utf8', timeout: 1_800_000 },
  );
  if (status === 0) return undefined;
  const text = stdout + stderr;
  return (/step \d+ of seed [^"]*/.exec(text)?.[0] ?? /● .*/.exec(text)?.[0] ?? 'another reason').slice(0, 160);
}

const rules = Object.entries(RULES).map(([name, [file, rule, without, test = 'model.test']]) => [
  name,
  { places: [[file, rule, without]], test },
]);
takeOutRules(join(root, 'src'), Object.fromEntries(rules), run);
