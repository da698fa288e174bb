import { expect, it } from '@jest/globals';
import { VerifiedTokens } from '../../src/tokens/verified-tokens.ts';
import { createApp } from '../harness.ts';

it('what one call changes in the claims of its token, also inside of them, no other call finds', async () => {
  const { service } = createApp();
  const token = await service.createAccessToken({ roles: ['reader'], team: { name: 'blue' } }, { subject: '1' });
  for (let call = 0; call < 3; call++) {
    const claims = (await service.verifyAccessToken(token)) as { roles: string[]; team: { name: string } };
    expect([claims.roles, claims.team]).toEqual([['reader'], { name: 'blue' }]);
    claims.roles.push('administrator');
    claims.team.name = 'red';
  }
});

it('claims without anything inside are copies too', () => {
  const tokens = new VerifiedTokens();
  const claims = { sub: '1', exp: Math.floor(Date.now() / 1000) + 60 };
  tokens.set('token', claims);
  claims.sub = '2';
  const found = tokens.get('token');
  if (found) found.sub = '3';
  expect(tokens.get('token')?.sub).toBe('1');
});
