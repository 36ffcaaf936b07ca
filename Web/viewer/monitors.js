// The host's monitors, where it has more than one.

import {fill, words} from "./language.js";

/**
 * Fills the list with `monitors` of the host.
 * @param {HTMLElement} button in the bar @param {HTMLElement} list
 * @param {{list: Monitor[], selected: string | null}} message
 * @param {(id: string) => void} choose
 *
 * @typedef {{id: string, name: string, width: number, height: number, primary: boolean}} Monitor
 */
export function showMonitors(button, list, {list: monitors, selected}, choose) {
    const all = Array.isArray(monitors) ? monitors : [];
    button.hidden = all.length < 2;
    list.replaceChildren(...all.map(({id, name, width, height, primary}) => {
        const item = document.createElement("li"), row = document.createElement("button");
        // Between a group and what is chosen in it there is no list.
        item.role = "none";
        row.type = "button";
        row.className = "row";
        row.role = "radio";
        row.setAttribute("aria-checked", String(id === selected));
        const label = document.createElement("span");
        label.textContent = primary ? fill(words.monitors.main, {name: name || id}) : name || id;
        const size = document.createElement("small");
        size.className = "hint";
        size.textContent = ` ${width} × ${height}`;
        label.append(size);
        row.append(label);
        row.onclick = () => choose(id);
        item.append(row);
        return item;
    }));
}
