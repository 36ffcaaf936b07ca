// The labels of the special keys, in the terms of the host's system, because the keys are pressed there.

const APPLE = {
    cmd: {label: "⌘", name: "Command"}, alt: {label: "⌥", name: "Option"}, ctrl: {label: "⌃", name: "Control"},
    shift: {label: "⇧", name: "Shift"},
};
const OTHERS = {
    cmd: {label: "Super", name: "Super"}, alt: {label: "Alt", name: "Alt"}, ctrl: {label: "Ctrl", name: "Control"},
    shift: {label: "Shift", name: "Shift"},
};
const SYSTEMS = new Map([
    ["macos", APPLE], ["linux", OTHERS], ["windows", {...OTHERS, cmd: {label: "Win", name: "Windows"}}],
]);
/** For an unknown system: the first key has another name on each system. */
const UNKNOWN = {...OTHERS, cmd: {label: "Cmd", name: "Command, Windows or Super"}};

/**
 * @param {string} modifier a modifier of `specialRows`
 * @param {string} system the system in the host's `welcome`; empty if it is unknown
 * @returns {{label: string, name: string}} the visible label, and the name for screen readers
 */
export function labelOf(modifier, system) {
    /** @type {Record<string, {label: string, name: string}>} */
    const labels = SYSTEMS.get(system) ?? UNKNOWN;
    return labels[modifier];
}
