import type { OAuthProfile } from '../providers/preset.ts';

/** What says that an address is verified, by any provider of OpenID Connect. */
const MARKS = ['email_verified', 'xms_edov'] as const;

/**
 * One profile of both answers: the claims of the ID token win. What says that an address is verified counts for the address beside it alone
 * (requirements of OAuth: O7).
 *
 * @param claims of the ID token
 * @param userinfo what the userinfo address says
 */
export function openIdProfile(claims: OAuthProfile, userinfo: OAuthProfile): OAuthProfile {
  const profile = { ...userinfo, ...claims };
  if (claims.email === userinfo.email) return profile;
  const source = claims.email === undefined ? userinfo : claims;
  return { ...profile, ...Object.fromEntries(MARKS.map((mark) => [mark, source[mark]])) };
}
