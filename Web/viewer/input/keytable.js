// The keys of a keyboard: their names in browsers, macOS and USB, and the characters that they type.
// Testing/Vectors/keyboard.json contains the same table with its sources.

/**
 * The browser's name of each key by position, its macOS key code (-1 for none), and its usage on USB's keyboard page.
 * @type {[string, number, number][]}
 */
const table = [
    ["KeyA", 0x00, 0x04], ["KeyB", 0x0B, 0x05], ["KeyC", 0x08, 0x06], ["KeyD", 0x02, 0x07], ["KeyE", 0x0E, 0x08],
    ["KeyF", 0x03, 0x09], ["KeyG", 0x05, 0x0A], ["KeyH", 0x04, 0x0B], ["KeyI", 0x22, 0x0C], ["KeyJ", 0x26, 0x0D],
    ["KeyK", 0x28, 0x0E], ["KeyL", 0x25, 0x0F], ["KeyM", 0x2E, 0x10], ["KeyN", 0x2D, 0x11], ["KeyO", 0x1F, 0x12],
    ["KeyP", 0x23, 0x13], ["KeyQ", 0x0C, 0x14], ["KeyR", 0x0F, 0x15], ["KeyS", 0x01, 0x16], ["KeyT", 0x11, 0x17],
    ["KeyU", 0x20, 0x18], ["KeyV", 0x09, 0x19], ["KeyW", 0x0D, 0x1A], ["KeyX", 0x07, 0x1B], ["KeyY", 0x10, 0x1C],
    ["KeyZ", 0x06, 0x1D],
    ["Digit1", 0x12, 0x1E], ["Digit2", 0x13, 0x1F], ["Digit3", 0x14, 0x20], ["Digit4", 0x15, 0x21],
    ["Digit5", 0x17, 0x22], ["Digit6", 0x16, 0x23], ["Digit7", 0x1A, 0x24], ["Digit8", 0x1C, 0x25],
    ["Digit9", 0x19, 0x26], ["Digit0", 0x1D, 0x27],
    ["Enter", 0x24, 0x28], ["Escape", 0x35, 0x29], ["Backspace", 0x33, 0x2A], ["Tab", 0x30, 0x2B],
    ["Space", 0x31, 0x2C], ["Minus", 0x1B, 0x2D], ["Equal", 0x18, 0x2E], ["BracketLeft", 0x21, 0x2F],
    ["BracketRight", 0x1E, 0x30], ["Backslash", 0x2A, 0x31], ["Semicolon", 0x29, 0x33], ["Quote", 0x27, 0x34],
    ["Backquote", 0x32, 0x35], ["Comma", 0x2B, 0x36], ["Period", 0x2F, 0x37], ["Slash", 0x2C, 0x38],
    ["CapsLock", 0x39, 0x39],
    ["F1", 0x7A, 0x3A], ["F2", 0x78, 0x3B], ["F3", 0x63, 0x3C], ["F4", 0x76, 0x3D], ["F5", 0x60, 0x3E],
    ["F6", 0x61, 0x3F], ["F7", 0x62, 0x40], ["F8", 0x64, 0x41], ["F9", 0x65, 0x42], ["F10", 0x6D, 0x43],
    ["F11", 0x67, 0x44], ["F12", 0x6F, 0x45], ["F13", 0x69, 0x68], ["F14", 0x6B, 0x69], ["F15", 0x71, 0x6A],
    ["F16", 0x6A, 0x6B], ["F17", 0x40, 0x6C], ["F18", 0x4F, 0x6D], ["F19", 0x50, 0x6E], ["F20", 0x5A, 0x6F],
    ["F21", -1, 0x70], ["F22", -1, 0x71], ["F23", -1, 0x72], ["F24", -1, 0x73],
    ["PrintScreen", -1, 0x46], ["ScrollLock", -1, 0x47], ["Pause", -1, 0x48],
    ["Insert", 0x72, 0x49], ["Home", 0x73, 0x4A], ["PageUp", 0x74, 0x4B], ["Delete", 0x75, 0x4C], ["End", 0x77, 0x4D],
    ["PageDown", 0x79, 0x4E], ["ArrowRight", 0x7C, 0x4F], ["ArrowLeft", 0x7B, 0x50], ["ArrowDown", 0x7D, 0x51],
    ["ArrowUp", 0x7E, 0x52], ["ContextMenu", 0x6E, 0x65],
    ["Open", -1, 0x74], ["Help", -1, 0x75], ["Select", -1, 0x77], ["Again", -1, 0x79], ["Undo", -1, 0x7A],
    ["Cut", -1, 0x7B], ["Copy", -1, 0x7C], ["Paste", -1, 0x7D], ["Find", -1, 0x7E], ["Abort", -1, 0x9B],
    ["Props", -1, 0xA3],
    ["NumLock", 0x47, 0x53], ["NumpadDivide", 0x4B, 0x54], ["NumpadMultiply", 0x43, 0x55],
    ["NumpadSubtract", 0x4E, 0x56], ["NumpadAdd", 0x45, 0x57], ["NumpadEnter", 0x4C, 0x58],
    ["Numpad1", 0x53, 0x59], ["Numpad2", 0x54, 0x5A], ["Numpad3", 0x55, 0x5B], ["Numpad4", 0x56, 0x5C],
    ["Numpad5", 0x57, 0x5D], ["Numpad6", 0x58, 0x5E], ["Numpad7", 0x59, 0x5F], ["Numpad8", 0x5B, 0x60],
    ["Numpad9", 0x5C, 0x61], ["Numpad0", 0x52, 0x62], ["NumpadDecimal", 0x41, 0x63], ["NumpadEqual", 0x51, 0x67],
    ["NumpadComma", 0x5F, 0x85], ["NumpadParenLeft", -1, 0xB6], ["NumpadParenRight", -1, 0xB7],
    ["NumpadBackspace", -1, 0xBB], ["NumpadMemoryStore", -1, 0xD0], ["NumpadMemoryRecall", -1, 0xD1],
    ["NumpadMemoryClear", -1, 0xD2], ["NumpadMemoryAdd", -1, 0xD3], ["NumpadMemorySubtract", -1, 0xD4],
    ["NumpadClear", -1, 0xD8], ["NumpadClearEntry", -1, 0xD9],
    ["IntlBackslash", 0x0A, 0x64], ["IntlRo", 0x5E, 0x87], ["KanaMode", -1, 0x88], ["IntlYen", 0x5D, 0x89],
    ["Convert", -1, 0x8A], ["NonConvert", -1, 0x8B], ["Lang1", 0x68, 0x90], ["Lang2", 0x66, 0x91],
    ["Lang3", -1, 0x92], ["Lang4", -1, 0x93], ["Lang5", -1, 0x94],
    ["AudioVolumeMute", 0x4A, 0x7F], ["AudioVolumeUp", 0x48, 0x80], ["AudioVolumeDown", 0x49, 0x81],
    ["ControlLeft", 0x3B, 0xE0], ["ShiftLeft", 0x38, 0xE1], ["AltLeft", 0x3A, 0xE2], ["MetaLeft", 0x37, 0xE3],
    ["ControlRight", 0x3E, 0xE4], ["ShiftRight", 0x3C, 0xE5], ["AltRight", 0x3D, 0xE6], ["MetaRight", 0x36, 0xE7],
];
/** The names of some keys in older browsers. */
/** @type {Record<string, string>} */
const formerNames = {
    OSLeft: "MetaLeft", OSRight: "MetaRight",
    VolumeMute: "AudioVolumeMute", VolumeUp: "AudioVolumeUp", VolumeDown: "AudioVolumeDown",
};

/** @type {Map<string, {keyCode?: number, usage: number}>} */
const keys = new Map();
for (const [code, keyCode, usage] of table) keys.set(code, keyCode < 0 ? {usage} : {keyCode, usage});

/** The characters that the keys of a US keyboard type, without and with Shift. */
const typed = /** @type {Map<string, {code: string, isShifted: boolean}>} */ (new Map());
for (const [code, plain, shifted] of [
    ["Backquote", "`", "~"], ["Digit1", "1", "!"], ["Digit2", "2", "@"], ["Digit3", "3", "#"], ["Digit4", "4", "$"],
    ["Digit5", "5", "%"], ["Digit6", "6", "^"], ["Digit7", "7", "&"], ["Digit8", "8", "*"], ["Digit9", "9", "("],
    ["Digit0", "0", ")"], ["Minus", "-", "_"], ["Equal", "=", "+"], ["BracketLeft", "[", "{"],
    ["BracketRight", "]", "}"], ["Backslash", "\\", "|"], ["Semicolon", ";", ":"], ["Quote", "'", "\""],
    ["Comma", ",", "<"], ["Period", ".", ">"], ["Slash", "/", "?"],
]) {
    typed.set(plain, {code, isShifted: false});
    typed.set(shifted, {code, isShifted: true});
}
typed.set(" ", {code: "Space", isShifted: false});
for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    const code = `Key${letter.toUpperCase()}`;
    typed.set(letter, {code, isShifted: false});
    typed.set(letter.toUpperCase(), {code, isShifted: true});
}

/**
 * Returns the current name of a key.
 * @param {string} code `KeyboardEvent.code`, possibly of an older browser
 */
export function currentName(code) { return formerNames[code] ?? code; }

/**
 * Returns the key with a browser's name; `null` if the host has no such key.
 * @param {string} code `KeyboardEvent.code`
 * @returns {{keyCode?: number, usage: number} | null} `keyCode` is macOS's key code, if it has one
 */
export function keyOf(code) {
    return keys.get(currentName(code)) ?? null;
}

/**
 * Returns the key of a US keyboard that types a character; `undefined` if there is none.
 * @param {string} characters
 * @returns {{code: string, isShifted: boolean} | undefined}
 */
export function keyTyping(characters) { return typed.get(characters); }
