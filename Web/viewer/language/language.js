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

/**
 * Why a file, or a batch, did not come.
 * @param {string | null} reason as messages have it @returns {string} "" where nothing is known of it
 */
export function reasonText(reason) {
    return (reason !== null && /** @type {Record<string, string>} */ (words.fileReasons)[reason]) || "";
}

/**
 * Has a page of English speak the language that is chosen: elements say which of `words.page` they have, and where.
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
