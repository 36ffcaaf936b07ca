// What is written on the special keys: the words of the host's own system, for it is the host that they are pressed at.

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
/** Of a host that does not say what it is: the first key has another name on each system. */
const UNKNOWN = {...OTHERS, cmd: {label: "Cmd", name: "Command, Windows or Super"}};

/**
 * @param {string} modifier of `specialRows`
 * @param {string} system as the host's `welcome` has it; "" where it does not say
 * @returns {{label: string, name: string}} what is seen and what is read out
 */
export function labelOf(modifier, system) {
    /** @type {Record<string, {label: string, name: string}>} */
    const labels = SYSTEMS.get(system) ?? UNKNOWN;
    return labels[modifier];
}
