// The language that the page speaks: the first of the browser's that it has, else English.

import {english} from "./english.js";
import {german} from "./german.js";

/** By the first part of a language's tag (RFC 5646). */
const LANGUAGES = new Map([["en", english], ["de", german]]);

/** @param {readonly string[]} wanted as `navigator.languages` has them, best first @returns {string} one that is there */
export function languageFor(wanted) {
    return wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => LANGUAGES.has(tag)) ?? "en";
}

export const language = languageFor(globalThis.navigator?.languages ?? []);

/** What the page says, as english.js has it. */
export const words = LANGUAGES.get(language) ?? english;

/**
 * Puts values into a text.
 * @param {string} text with names in braces @param {Record<string, string | number>} values
 */
export function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Has a page of English speak the language that is chosen: elements say which of `words.page` they have, and where. */
export function translate(page) {
    page.documentElement.lang = language;
    for (const element of page.querySelectorAll("[data-text]")) element.textContent = words.page[element.dataset.text];
    for (const element of page.querySelectorAll("[data-label]")) {
        element.setAttribute("aria-label", words.page[element.dataset.label]);
    }
    for (const element of page.querySelectorAll("[data-title]")) element.title = words.page[element.dataset.title];
}
