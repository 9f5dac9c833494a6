// SPDX-License-Identifier: MIT
//
// A search field above a list: Enter chooses the first result, Down goes into the list, and Escape
// clears the search.

/**
 * @param {HTMLInputElement} field
 * @param {import('./list.js').List} list
 * @param {() => void} show shows what is sought
 */
export function setUpSearch(field, list, show) {
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      if (field.value.trim() !== '') list.takeFirst();
    } else if (event.key === 'ArrowDown') {
      list.enter();
    } else if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      show();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
}
