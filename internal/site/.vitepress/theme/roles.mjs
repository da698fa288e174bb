// What the default theme tells assistive technology where it says too much or the wrong thing. Its markup is mended while it changes.

/** @param {Document} document */
export function mendRoles(document) {
  // From this width on the theme shows the text of the search button.
  const wide = matchMedia('(min-width: 768px)');
  const mend = () => {
    document.querySelectorAll('.VPSidebarItem:not(.collapsible) > .item[role=button]').forEach(plainHeading);
    document.querySelectorAll('.DocSearch-Button').forEach((button) => searchButton(button, wide.matches));
    document.querySelectorAll('.VPLocalSearchBox').forEach(searchDialog);
  };
  wide.addEventListener('change', mend);
  new MutationObserver(mend).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'id', 'aria-selected', 'aria-label', 'tabindex'],
  });
}

/** A button with a text is called by it; one with an icon alone needs a name. */
function searchButton(button, hasText) {
  if (hasText) button.removeAttribute('aria-label');
  else set(button, 'aria-label', 'Search');
}

/** A heading of the sidebar that opens and closes nothing is no button. */
function plainHeading(item) {
  item.removeAttribute('role');
  item.removeAttribute('tabindex');
}

/** The search is a dialog with a box whose list are the links themselves. */
function searchDialog(box) {
  set(box, 'role', 'dialog');
  set(box, 'aria-modal', 'true');
  set(box, 'aria-label', 'Search');
  for (const name of ['aria-owns', 'aria-expanded', 'aria-haspopup', 'aria-labelledby']) box.removeAttribute(name);
  const input = box.querySelector('input');
  const list = box.querySelector('.results');
  const results = [...(list?.querySelectorAll('li > a.result') ?? [])];
  if (input) {
    set(input, 'role', 'combobox');
    set(input, 'aria-expanded', String(results.length > 0));
  }
  for (const link of results) option(link, link.parentElement);
  // What a key looks like has a name only as a picture.
  box.querySelectorAll('kbd[aria-label]').forEach((key) => set(key, 'role', 'img'));
}

/** The link is the option: one within an option could not be told of. */
function option(link, item) {
  link.removeAttribute('aria-label');
  set(link, 'role', 'option');
  set(link, 'aria-selected', item.getAttribute('aria-selected') ?? link.getAttribute('aria-selected') ?? 'false');
  item.removeAttribute('aria-selected');
  if (item.id !== '') {
    link.id = item.id;
    item.removeAttribute('id');
  }
  set(item, 'role', 'presentation');
}

function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
