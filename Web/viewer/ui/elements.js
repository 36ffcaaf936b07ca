// Finds elements of index.html by ID. Web/tests/page.test.js checks that all of them exist.

/**
 * The types of elements that are not plain HTMLElements.
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
 * Sets the state of a toggle button.
 * @param {string} id @param {boolean} isPressed
 */
export function press(id, isPressed) { find(id).setAttribute("aria-pressed", String(isPressed)); }

/** @param {string} id the button's ID @param {() => void} act called on a click */
export function click(id, act) { find(id).addEventListener("click", act); }
