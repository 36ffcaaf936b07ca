// Elements of index.html by their names. Web/tests/page.test.js sees to it that each is there.

/**
 * Those that are more than an element as such.
 * @typedef {{
 *   picture: HTMLVideoElement, drawn: HTMLCanvasElement, still: HTMLCanvasElement, pointer: HTMLCanvasElement,
 *   typing: HTMLTextAreaElement, code: HTMLInputElement, name: HTMLInputElement, volume: HTMLInputElement,
 *   "files-input": HTMLInputElement, "folder-input": HTMLInputElement, "note-action": HTMLButtonElement,
 * }} Elements
 */

/**
 * @template {string} Id
 * @param {Id} id
 * @returns {Id extends keyof Elements ? Elements[Id] : HTMLElement}
 */
export const find = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * Says of a button that stays down whether it is.
 * @param {string} id @param {boolean} isPressed
 */
export function press(id, isPressed) { find(id).setAttribute("aria-pressed", String(isPressed)); }

/** @param {string} id of a button @param {() => void} act what it does */
export function click(id, act) { find(id).addEventListener("click", act); }
