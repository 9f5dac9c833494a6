// SPDX-License-Identifier: MIT
//
// Tests know which element an id or a selector is, and leave things in the window.

interface Window {
  [name: string]: any;
}
interface Element {
  [name: string]: any;
}
