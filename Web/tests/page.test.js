// The page as a file: what the policy that it is served with would stop, and the list of its modules.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import test from "node:test";

const folder = new URL("../viewer/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const page = read("index.html");
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));

test("nothing inline: the content security policy would stop it", () => {
    assert.doesNotMatch(page, /\sstyle=|<style|\son\w+=|javascript:/i);
    for (const [, attributes, content] of page.matchAll(/<script([^>]*)>([^<]*)</g)) {
        assert.match(attributes, /src="main\.js"/);
        assert.equal(content, "");
    }
});

test("nothing from elsewhere, and nothing that is made from text", () => {
    assert.doesNotMatch(page.replaceAll("http://www.w3.org/2000/svg", ""), /https?:|\/\//);
    for (const name of [...modules, "style.css"]) {
        const text = read(name);
        assert.doesNotMatch(text, /\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|@import/, name);
        assert.doesNotMatch(text, /["'(`]https?:\/\//, name);
    }
});

test("only what every browser has on plain HTTP is relied on", () => {
    for (const name of modules) {
        // Not there without TLS; what follows `?.` may be missing.
        const code = read(name).replace(/^\s*(\/\/|\/?\*).*$/gm, "");
        assert.doesNotMatch(code, /crypto\.(subtle|randomUUID)\b/, name);
        assert.doesNotMatch(code, /navigator\.(clipboard|serviceWorker|wakeLock|keyboard)\./, name);
    }
});

test("each module is fetched ahead, and each that is named is there", () => {
    const ahead = [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(ahead, modules.filter((name) => name !== "main.js").sort());
    const imported = new Set(["main.js"]);
    for (const name of imported) {
        for (const [, other] of read(name).matchAll(/from "\.\/([^"]+)"/g)) imported.add(other);
    }
    assert.deepEqual([...imported].sort(), modules.sort(), "none is left over, none is missing");
});

test("every element that a script looks for is there, and every symbol", () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, "twice");
    for (const name of modules) {
        for (const [, id] of read(name).matchAll(/\bfind\("([^"]+)"\)/g)) assert.ok(ids.includes(id), `${name}: ${id}`);
    }
    for (const [, id] of page.matchAll(/(?:href="#|aria-(?:controls|labelledby|describedby)="|for=")([^"]+)"/g)) {
        assert.ok(ids.includes(id), id);
    }
});

test("every button says what it does", () => {
    for (const [all, attributes, content] of page.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)) {
        const isFilledLater = /id="(control-button|note-action)"/.test(attributes);
        assert.ok(isFilledLater || /aria-label=/.test(attributes) || content.replace(/<[^>]+>/g, "").trim(), all);
    }
});
