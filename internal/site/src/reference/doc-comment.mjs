// Doc comments as Markdown.
/**
 * @typedef {object} Description
 * @property {string} summary text before the first tag
 * @property {{ name: string, text: string }[]} parameters
 * @property {string} returns
 * @property {string[]} throws
 * @property {string[]} examples
 * @property {string[]} see
 * @property {string | undefined} deprecated
 */

/**
 * @param {ts.JSDocTagInfo[]} tags
 * @param {string} summary
 * @returns {Description}
 */
export function description(summary, tags) {
  const texts = (name) => tags.filter((tag) => tag.name === name).map((tag) => plain(tag.text));
  return {
    summary: summary.trim(),
    parameters: tags.filter(({ name }) => name === 'param').map(parameter),
    returns: texts('returns').join(' '),
    throws: texts('throws'),
    examples: texts('example'),
    see: texts('see'),
    deprecated: texts('deprecated')[0],
  };
}

/** @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
export function descriptionOfSymbol(symbol, checker) {
  return description(plain(symbol.getDocumentationComment(checker)), symbol.getJsDocTags(checker));
}

/** @param {ts.Signature} signature @param {ts.TypeChecker} checker */
export function descriptionOfSignature(signature, checker) {
  return description(plain(signature.getDocumentationComment(checker)), signature.getJsDocTags());
}

function parameter({ text = [] }) {
  const name = text.find(({ kind }) => kind === 'parameterName')?.text ?? '';
  const rest = plain(text.filter(({ kind }) => kind !== 'parameterName')).trim();
  return { name, text: rest.replace(/^-\s*/, '') };
}

/** Links inside comments (`{@link Name}`) become names in code. */
function plain(parts = []) {
  return parts
    .filter(({ kind }) => kind !== 'link')
    .map(({ kind, text }) => (kind === 'linkName' || kind === 'linkText' ? `\`${text.trim()}\`` : text))
    .join('')
    .trim();
}

/** What is said of a name in short: its summary, or else what it returns. */
export function inShort({ summary, returns }) {
  if (summary !== '') return summary;
  return returns === '' ? '' : `Gives ${returns}`;
}
