import { NotAuthenticated } from '@framework/errors';
import type { OAuthProfile, ProviderPreset } from '../providers/preset.ts';

/** Longest name of a person at a provider, in characters (OpenID Connect Core 2). */
const MAX_LENGTH = 255;

/**
 * Who a profile is of, as text.
 *
 * @throws NotAuthenticated (401) for anything but a text or a safe integer: whoever has no name is nobody, and never everybody
 */
export function subjectOf(profile: OAuthProfile, preset: ProviderPreset | undefined): string {
  const subject = preset?.subject ? preset.subject(profile) : (profile.sub ?? profile.id);
  if (typeof subject === 'string' && subject !== '' && subject.length <= MAX_LENGTH) return subject;
  if (typeof subject === 'number' && Number.isSafeInteger(subject)) return String(subject);
  throw new NotAuthenticated('The provider does not say who has logged in', { error: 'failed' });
}

/**
 * @param stored what an entity has
 * @param asked what it was found by
 * @returns whether both are one person: where a collation finds a text in another spelling, that is somebody else
 */
export function isSameSubject(stored: unknown, asked: unknown): boolean {
  return typeof stored !== 'string' || typeof asked !== 'string' || stored === asked;
}
