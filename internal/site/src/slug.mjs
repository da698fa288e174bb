/**
 * The anchor of a heading, by the rule of GitHub, so that a link holds in the repository and on the site.
 *
 * @param {string} heading its text
 */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
