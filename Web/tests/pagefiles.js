// The files of Web/viewer, by their paths there: "main.js", "session/client.js".

import {readdirSync, readFileSync} from "node:fs";

const folder = new URL("../viewer/", import.meta.url);

/** @param {string} path @returns {string} */
export const read = (path) => readFileSync(new URL(path, folder), "utf8");

/** @param {string} under "", or a folder and a slash @returns {string[]} */
function list(under) {
    return readdirSync(new URL(under, folder), {withFileTypes: true}).flatMap((entry) =>
        (entry.isDirectory() ? list(`${under}${entry.name}/`) : [under + entry.name]));
}

/** All modules, including those that run apart from the page. */
export const modules = list("").filter((path) => path.endsWith(".js")).sort();

/** @param {string} path of a module @param {string} specifier that it imports from @returns {string} the other's path */
export function resolve(path, specifier) {
    const place = new URL(specifier, new URL(path, "page:/"));
    return place.pathname.slice(1);
}
