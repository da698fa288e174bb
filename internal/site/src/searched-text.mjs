/** Set in the environment of a text that is rendered for the index of the search. */
const searched = Symbol('searched');

/**
 * The HTML that the search indexes: that of the page, but for the colours of its code, which cost most of a page's time and are taken out again.
 *
 * @param {string} source of a page
 * @param {Record<PropertyKey, any>} env
 * @param {import('markdown-it').default} md
 * @returns {string}
 */
export function searchedHtml(source, env, md) {
  env[searched] = true;
  const html = md.render(source, env);
  return env.frontmatter?.search === false ? '' : html;
}

/**
 * Leaves code without colours in what `searchedHtml` renders.
 *
 * @param {import('markdown-it').default} md
 */
export function leaveSearchedPlain(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) =>
    fence(tokens, index, env[searched] ? { ...options, highlight: plain } : options, env, self);
}

/** Code with what HTML needs to be escaped written as it is in code with colours, so that the index is the same. */
function plain(code) {
  return `<pre><code>${code.trimEnd().replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;')}</code></pre>`;
}
