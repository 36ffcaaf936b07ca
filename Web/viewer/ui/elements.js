// Elements of index.html by their names. Web/tests/page.test.js sees to it that each is there.

/** @param {string} id */
export const find = (id) => document.getElementById(id);

/** Says of a button that stays down whether it is. @param {string} id @param {boolean} isPressed */
export function press(id, isPressed) { find(id).setAttribute("aria-pressed", String(isPressed)); }

/** @param {string} id of a button @param {() => void} act what it does */
export function click(id, act) { find(id).addEventListener("click", act); }
