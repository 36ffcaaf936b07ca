// The page's files: violations of the policy that it is served with, and the list of its modules.

import assert from "node:assert/strict";
import test from "node:test";
import {offerInstallation} from "../viewer/ui/install.js";
import {modules, read, resolve} from "./pagefiles.js";

const page = read("index.html");
/** Modules that run apart from the page, and are fetched when needed. */
const APART = ["files/originwriter.js", "picture/pictureworker.js", "sound/sounddecoder.js", "sound/soundworklet.js"];
/** The page's folders in layers: none imports from a later one. */
const FOLDERS = ["bytes", "language", "session", "input", "picture", "sound", "clipboard", "files", "ui", "page"];

/** Returns modules with all that they import. */
function reach(...names) {
    const all = new Set(names);
    for (const name of all) {
        for (const [, other] of read(name).matchAll(/ from "(\.[^"]+)"/g)) all.add(resolve(name, other));
    }
    return [...all].sort();
}

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
        // APIs that are missing without TLS; only `?.` makes their use safe.
        const code = read(name).replace(/^\s*(\/\/|\/?\*).*$/gm, "");
        assert.doesNotMatch(code, /crypto\.(subtle|randomUUID)\b/, name);
        assert.doesNotMatch(code, /navigator\.(clipboard|serviceWorker|wakeLock|keyboard)\./, name);
    }
});

test("each module is fetched ahead, and each that is named is there", () => {
    const ahead = [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, name]) => name);
    const program = reach("main.js");
    assert.deepEqual(ahead, program.filter((name) => name !== "main.js"));
    assert.deepEqual(reach("main.js", ...APART), modules, "none is left over, none is missing");
    for (const name of APART) {
        assert.ok(program.some((other) => read(other).includes(`"${name}"`)), `${name} is named`);
        for (const other of reach(name)) assert.ok(!program.includes(other), `${other} would come twice`);
    }
});

test("modules keep to what lets the host join them to one program", () => {
    // Tests/HelioWebPagesTests bundles the modules like Web/HelioWebPages/PageModule.swift.
    const importOf = /^import \{[\w$, \n]+\} from "(?:\.\/|\.\.\/)(?:[a-z0-9]+\/)*[a-z0-9]+\.js";\n/gm;
    const imported = new Map(), exported = new Map();
    for (const name of modules) {
        const text = read(name);
        const code = text.replace(/^ *\/\*.*?\*\/$\n?/gms, "").replace(/^ *\/\/.*\n/gm, "");
        const rest = code.replace(importOf, "");
        assert.ok(!/^ *import\b/m.test(rest) && !/\bimport\s*[(.]/.test(rest), `${name}: another kind of import`);
        const head = code.match(/^(?:\s|import \{[^}]*\} from "[^"]+";)*/)[0];
        assert.equal(head.match(importOf)?.length, code.match(importOf)?.length, `${name}: imports come first`);
        const given = [];
        for (const [line] of rest.matchAll(/^ *export\b.*/gm)) {
            const [, own] = line.match(/^export (?:(?:async )?function|class|const) ([\w$]+)\b/) ?? [];
            assert.ok(own, `${name}: ${line}`);
            given.push(own);
        }
        exported.set(name, given);
        assert.doesNotMatch(rest, /^(?:(?:const|let) .*= |return )?await\b|^for await/m, `${name}: waits at the margin`);
        assert.doesNotMatch(text, /<\/?script|<\/?style|<!--/i, name);
        // No template literal spans lines: text in it that resembles a comment would be removed.
        for (const line of rest.split("\n")) {
            assert.ok(line.replace(/"(?:[^"\\]|\\.)*"/g, "").split("`").length % 2, `${name}: ${line}`);
        }
        imported.set(name, [...code.matchAll(/^import \{([^}]*)\} from "([^"]+)";/gm)].map(([, names, other]) =>
            ({other: resolve(name, other), names: names.split(",").map((text) => text.trim()).filter(Boolean)})));
    }
    const isFree = new Set();
    const visit = (name, way) => {
        assert.ok(!way.includes(name), `a cycle: ${[...way, name].join(" → ")}`);
        if (isFree.has(name)) return;
        for (const {other, names} of imported.get(name)) {
            for (const one of names) assert.ok(exported.get(other).includes(one), `${name}: ${one} of ${other}`);
            visit(other, [...way, name]);
        }
        isFree.add(name);
    };
    for (const name of ["main.js", ...APART]) visit(name, []);
    assert.equal(isFree.size, modules.length);
});

test("each module lies in the folder of its subject, and imports only from there and from what is more general", () => {
    const floor = (name) => (name.includes("/") ? FOLDERS.indexOf(name.split("/")[0]) : FOLDERS.length);
    for (const name of modules) {
        assert.ok(floor(name) >= 0 && (floor(name) < FOLDERS.length || name === "main.js"), name);
        for (const [, other] of read(name).matchAll(/ from "(\.[^"]+)"/g)) {
            assert.ok(floor(resolve(name, other)) <= floor(name), `${name} imports ${other}`);
        }
    }
});

test("style, icon and program are named as the host looks for them", () => {
    const lines = page.split("\n").map((line) => line.trim());
    for (const line of [
        '<link rel="stylesheet" href="style.css">', '<script type="module" src="main.js"></script>',
        '<link rel="icon" href="icon.svg" type="image/svg+xml">',
    ]) assert.equal(lines.filter((other) => other === line).length, 1, line);
    assert.doesNotMatch(read("style.css"), /<\/?style|<!--/i);
});

test("every element that a script looks for is there, and every symbol", () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, "twice");
    for (const name of modules) {
        const named = [...read(name).matchAll(/\b(?:find|click|press)\("([a-z]+-[a-z-]+|[a-z]+)"[,)]/g)]
            .filter(([call]) => call.startsWith("find") || read(name).includes("/elements.js\";"));
        for (const [, id] of named) assert.ok(ids.includes(id), `${name}: ${id}`);
    }
    for (const [, names] of page.matchAll(/(?:href="#|aria-(?:controls|labelledby|describedby)="|for=")([^"]+)"/g)) {
        for (const id of names.split(" ")) assert.ok(ids.includes(id), id);
    }
});

test("the page can be installed where it came securely, and names what is there", () => {
    const manifest = JSON.parse(read("manifest.webmanifest"));
    for (const {src, type, sizes} of manifest.icons) {
        assert.ok(read(src).startsWith("<svg") && type === "image/svg+xml" && sizes === "any");
    }
    assert.deepEqual([manifest.start_url, manifest.display], ["/", "standalone"]);
    const made = [];
    const document = {createElement: (tag) => ({tag}), head: {append: (element) => made.push(element)}};
    offerInstallation(document, false);
    assert.deepEqual(made, []);
    offerInstallation(document, true);
    assert.deepEqual(made, [{tag: "link", rel: "manifest", href: "manifest.webmanifest"}]);
    read(made[0].href);
});

test("every symbol is used", () => {
    const all = [page, ...modules.map(read)].join();
    for (const [, id] of page.matchAll(/<symbol id="([^"]+)"/g)) assert.ok(all.includes(`#${id}"`), id);
});

test("what is said lies above what stands before and after the picture, or nobody reads it", () => {
    const level = (id) => Number(read("style.css").match(new RegExp(`^#${id} \\{[^}]*z-index: (\\d+)`, "m"))[1]);
    assert.ok(level("notes") > level("front"));
    for (const id of ["keys", "statistics", "top"]) assert.ok(level(id) < level("front"), id);
});

test("every button says what it does", () => {
    for (const [all, attributes, content] of page.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)) {
        const isFilledLater = /id="(control-button|note-action)"/.test(attributes);
        assert.ok(isFilledLater || /aria-label=/.test(attributes) || content.replace(/<[^>]+>/g, "").trim(), all);
    }
});
