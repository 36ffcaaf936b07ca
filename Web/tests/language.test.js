// The page's languages: each has all of English's texts, and the page's elements refer only to existing ones.

import assert from "node:assert/strict";
import test from "node:test";
import {REASONS} from "../viewer/files/filemessage.js";
import {english} from "../viewer/language/english.js";
import {german} from "../viewer/language/german.js";
import {fill, languageFor, translate, words} from "../viewer/language/language.js";
import {warningFor, wordsFor} from "../viewer/ui/words.js";
import {modules, read} from "./pagefiles.js";

const page = read("index.html");
const code = modules.filter((name) => !/\/(english|german)\.js$/.test(name)).map(read).join("\n");

/** Each text by its path. */
function entries(language) {
    return Object.entries(language).flatMap(([section, texts]) =>
        Object.entries(texts).map(([name, text]) => [`${section}.${name}`, text]));
}

test("German says all that English says, and puts the same into it", () => {
    const names = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    assert.deepEqual(entries(german).map(([path]) => path).sort(), entries(english).map(([path]) => path).sort());
    const translated = new Map(entries(german));
    for (const [path, text] of entries(english)) {
        assert.ok(text && translated.get(path), path);
        assert.deepEqual(names(translated.get(path)), names(text), path);
    }
});

test("what the page has in English is what English says, and all of it is translated", () => {
    const told = new Set();
    for (const [, attributes, content] of page.matchAll(/<\w+([^<>]*\bdata-text="[^<>]*)>([^<]*)</g)) {
        const [, name] = attributes.match(/data-text="(\w+)"/);
        told.add(name);
        assert.equal(content.replace(/\s+/g, " ").trim(), english.page[name], name);
    }
    for (const [attribute, field] of [["aria-label", "data-label"], ["title", "data-title"]]) {
        const tags = [...page.matchAll(/<[a-z]\w*\b[^<>]*>/g)].map(([tag]) => tag).filter((tag) =>
            new RegExp(`\\s${attribute}="`).test(tag));
        assert.ok(tags.length > 5);
        for (const tag of tags) {
            const [, name] = tag.match(new RegExp(`${field}="(\\w+)"`)) ?? assert.fail(tag);
            told.add(name);
            assert.equal(tag.match(new RegExp(`\\s${attribute}="([^"]*)"`))[1], english.page[name], tag);
        }
    }
    assert.deepEqual([...told].sort(), Object.keys(english.page).sort(), "nothing is left over");
    // The page has no untranslatable words, except for names and the text without JavaScript.
    const rest = page.slice(page.indexOf("<body")).replace(/<noscript>.*<\/noscript>/, "")
        .replace(/<(\w+)[^<>]*\bdata-text="[^<>]*>[^<]*<\/\1>/g, "").replace(/<kbd>.<\/kbd>/g, "").replace(/<[^>]*>/g, " ");
    assert.equal(rest.replace(/[\s,.…]+/g, " ").trim(), "Heliograph");
});

test("each text that is asked for is there, and each that is there is asked for", () => {
    for (const [, section, name] of code.matchAll(/\bwords\.(\w+)\.(\w+)/g)) {
        assert.equal(typeof english[section]?.[name], "string", `${section}.${name}`);
    }
    for (const section of ["card", "notes", "people", "sound", "monitors", "clipboard"]) {
        for (const name of Object.keys(english[section])) assert.ok(code.includes(`words.${section}.${name}`), name);
    }
    for (const name of Object.keys(english.files)) assert.ok(code.includes(`files.${name}`), name);
    assert.deepEqual(Object.keys(english.fileReasons), REASONS);
    for (const section of ["statistics", "fingers"]) {
        for (const name of Object.keys(english[section])) assert.ok(code.includes(`"${name}"`), name);
    }
});

test("the first of a person's languages that the page has", () => {
    for (const [wanted, expected] of [
        [["de-AT", "en"], "de"], [["fr", "DE"], "de"], [["fr-CA", "en-US", "de"], "en"], [["ja"], "en"], [[], "en"],
        [["den"], "en"], [["constructor"], "en"],
    ]) assert.equal(languageFor(wanted), expected, String(wanted));
});

test("values are put in as they are, and once", () => {
    assert.equal(fill("{a} and {b}, {a}", {a: "{b}", b: "$&"}), "{b} and $&, {b}");
    assert.equal(fill("{toString}", {}), "{toString}");
});

test("elements are told what to say, where they say it", () => {
    const text = {dataset: {text: "leave"}}, label = {dataset: {label: "keys"}, setAttribute(...all) { this.told = all; }};
    const title = {dataset: {title: "more"}}, root = {};
    translate({
        documentElement: root,
        querySelectorAll: (selector) => ({"[data-text]": [text], "[data-label]": [label], "[data-title]": [title]}[selector]),
    });
    assert.equal(text.textContent, words.page.leave);
    assert.deepEqual(label.told, ["aria-label", words.page.keys]);
    assert.equal(title.title, words.page.more);
    assert.equal(root.lang, "en");
});

test("each ending has a title and words, whatever a host gives as its reason", () => {
    for (const kind of ["refused", "bye", "restarted", "impostor", "violation", "declined", "unreachable", "no-path", "lost",
        "no-codec", "fetching-codec", "no-webrtc", "left", "offline", "busy", "too-fast", "crowded", "blocked", "no-rendezvous",
        "insecure", "no-link"]) {
        for (const reason of ["", "ended", "wrong-proof", "constructor", "no such reason"]) {
            const {title, text} = wordsFor({kind, reason, what: "something"});
            assert.ok(title && typeof text === "string" && text, `${kind} ${reason}`);
            assert.ok(!/\{\w+\}|undefined|function/.test(text), text);
        }
    }
    assert.equal(wordsFor({kind: "bye", reason: "eaten"}).text, "The host has ended the session: eaten.");
    assert.deepEqual(wordsFor({kind: "nonsense"}), wordsFor({kind: "left"}));
    assert.equal(wordsFor({kind: "no-path"}).title, "No way through");
    assert.equal(wordsFor({kind: "no-rendezvous"}).title, "Rendezvous not reached");
});

test("a browser's warning is told in its own words", () => {
    const webKit = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
    for (const [agent, expected] of [
        ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
            /“Advanced”, then “Proceed to 10\.0\.0\.5 \(unsafe\)”/],
        ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", /“Accept the Risk and Continue”/],
        [`${webKit} Version/18.0 Safari/605.1.15`, /“visit this website”/],
        ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140 Mobile Safari/604.1",
            /“visit this website”/],
        ["curl/8", /go on all the same/],
    ]) assert.match(warningFor(agent, "10.0.0.5"), expected, agent);
});
