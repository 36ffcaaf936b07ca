// The list of the host's monitors, shown if there are several.

import {fill, words} from "../language/language.js";

/** The steps of the arrow keys in a group of radio buttons. */
const STEPS = /** @type {Record<string, number>} */ ({ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1});

/**
 * Fills the list from the host's message `monitors`.
 * @param {HTMLElement} button the button in the bar @param {HTMLElement} list
 * @param {{list: Monitor[], selected: string | null}} message
 * @param {(id: string) => void} choose
 *
 * @typedef {{id: string, name: string, width: number, height: number, primary: boolean}} Monitor
 */
export function showMonitors(button, list, {list: monitors, selected}, choose) {
    const all = Array.isArray(monitors) ? monitors : [];
    button.hidden = all.length < 2;
    const rows = all.map((monitor) => {
        const row = rowOf(monitor, monitor.id === selected);
        row.onclick = () => choose(monitor.id);
        return row;
    });
    // Tab reaches one radio button, and arrow keys the others: the radio group pattern of WAI-ARIA.
    /** @param {HTMLButtonElement} row */
    const reach = (row) => { for (const each of rows) each.tabIndex = each === row ? 0 : -1; };
    reach(rows[Math.max(0, all.findIndex(({id}) => id === selected))]);
    list.onkeydown = (event) => {
        const step = STEPS[event.key], at = rows.findIndex((row) => row === document.activeElement);
        if (!step || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const next = (at + step + rows.length) % rows.length;
        reach(rows[next]);
        rows[next].focus();
        choose(all[next].id);
    };
    // Restore the focus, because the host sends the list again after a choice, and possibly at any time.
    const active = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    const focused = active && list.contains(active) ? active.value : null;
    list.replaceChildren(...rows.map((row) => {
        const item = document.createElement("li");
        // The list items must not be visible to screen readers between a radio group and its buttons.
        item.role = "none";
        item.append(row);
        return item;
    }));
    if (focused !== null) (rows.find(({value}) => value === focused) ?? rows.find(({tabIndex}) => tabIndex === 0))?.focus();
}

/** @param {Monitor} monitor @param {boolean} isSelected */
function rowOf({id, name, width, height, primary}, isSelected) {
    const row = document.createElement("button");
    row.type = "button";
    row.className = "row";
    row.value = id;
    row.role = "radio";
    row.setAttribute("aria-checked", String(isSelected));
    const label = document.createElement("span");
    label.textContent = primary ? fill(words.monitors.main, {name: name || id}) : name || id;
    const size = document.createElement("small");
    size.className = "hint";
    size.textContent = ` ${width} × ${height}`;
    label.append(size);
    row.append(label);
    return row;
}
