// The page's language: the browser's most preferred language that the page supports, otherwise English.

import {english} from "./english.js";
import {german} from "./german.js";

/** The texts by the primary language subtag (RFC 5646). */
const LANGUAGES = new Map([["en", english], ["de", german]]);

/** @param {readonly string[]} wanted `navigator.languages`, best first @returns {string} a supported language */
export function languageFor(wanted) {
    return wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => LANGUAGES.has(tag)) ?? "en";
}

export const language = languageFor(globalThis.navigator?.languages ?? []);

/** The page's texts in its language, with the entries of english.js. */
export const words = LANGUAGES.get(language) ?? english;

/**
 * Replaces the placeholders in a text by values.
 * @param {string} text a text with names in braces @param {Record<string, string | number>} values
 */
export function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/**
 * Returns the text for the reason why a file or batch failed.
 * @param {string | null} reason a reason of `REASONS` @returns {string} empty for an unknown reason
 */
export function reasonText(reason) {
    return (reason !== null && /** @type {Record<string, string>} */ (words.fileReasons)[reason]) || "";
}

/**
 * Translates the English page: its elements' data attributes contain keys of `words.page`.
 * @param {Document} page
 */
export function translate(page) {
    page.documentElement.lang = language;
    /** @type {Record<string, string>} */
    const texts = words.page;
    /** @param {string} field @returns {NodeListOf<HTMLElement>} */
    const marked = (field) => page.querySelectorAll(`[data-${field}]`);
    for (const element of marked("text")) element.textContent = texts[element.dataset.text ?? ""];
    for (const element of marked("label")) element.setAttribute("aria-label", texts[element.dataset.label ?? ""]);
    for (const element of marked("title")) element.title = texts[element.dataset.title ?? ""];
}
