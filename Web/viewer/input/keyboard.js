// Converts keyboard events to messages: decides which keys belong to the host, and tracks the keys that are down there. Uses no
// DOM except the events' fields, and no clock. docs/web/keyboard.md defines the rules; Testing/Vectors/keyboard.json tests this
// file and Swift's SpecialKeyboard against them.

import {currentName, keyOf, keyTyping} from "./keytable.js";

/** The time in milliseconds for which a Control press is held back on Windows, which reports one just before AltGr. */
const FALSE_CONTROL_TIME = 50;
/** The maximum size of a message's text in bytes of UTF-8. */
const TEXT_LIMIT = 4096;

/**
 * Each modifier of the protocol, in its order: its name, its two keys, its field in events.
 * @typedef {{name: "cmd" | "ctrl" | "alt" | "shift", left: string, right: string,
 *   field: "metaKey" | "ctrlKey" | "altKey" | "shiftKey"}} Modifier
 *
 * @type {Modifier[]}
 */
const modifiers = [
    {name: "cmd", left: "MetaLeft", right: "MetaRight", field: "metaKey"},
    {name: "ctrl", left: "ControlLeft", right: "ControlRight", field: "ctrlKey"},
    {name: "alt", left: "AltLeft", right: "AltRight", field: "altKey"},
    {name: "shift", left: "ShiftLeft", right: "ShiftRight", field: "shiftKey"},
];
const modifierKeys = new Set(modifiers.flatMap(({left, right}) => [left, right]));
/** The values of `KeyboardEvent.key` for modifier keys. */
const modifierNames = new Set(["Meta", "OS", "Control", "Alt", "AltGraph", "Shift"]);

/**
 * The keys that are exchanged if Command and Control are exchanged.
 * @type {Record<string, string>}
 */
const exchanged = {
    MetaLeft: "ControlLeft", MetaRight: "ControlRight", ControlLeft: "MetaLeft", ControlRight: "MetaRight",
};

/** Keys that a touch keyboard may report by name only, without a position. */
const named = new Set([
    "Enter", "Escape", "Backspace", "Tab", "Delete", "Insert", "Home", "End", "PageUp", "PageDown",
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
]);

/** Keys of Japanese keyboards whose release Windows does not report. */
const withoutRelease = new Set([
    "ZenkakuHankaku", "Zenkaku", "Hankaku", "Alphanumeric", "Eisu", "Katakana", "Hiragana", "HiraganaKatakana",
    "KanaMode", "Romaji",
]);

/** The special keyboard, row by row. `modifier`: a key that stays down until it is tapped again; `code`: a key to press. */
export const specialRows = Object.freeze([
    [
        {code: "Escape", label: "Esc", name: "Escape"},
        ...Array.from({length: 12}, (_, i) => ({code: `F${i + 1}`, label: `F${i + 1}`, name: `F${i + 1}`})),
    ],
    [
        {modifier: "cmd", label: "⌘", name: "Command"},
        {modifier: "alt", label: "⌥", name: "Option"},
        {modifier: "ctrl", label: "⌃", name: "Control"},
        {modifier: "shift", label: "⇧", name: "Shift"},
        {code: "ArrowLeft", label: "←", name: "Left"},
        {code: "ArrowRight", label: "→", name: "Right"},
        {code: "ArrowUp", label: "↑", name: "Up"},
        {code: "ArrowDown", label: "↓", name: "Down"},
    ],
    [
        {code: "Tab", label: "Tab", name: "Tab"},
        {code: "Delete", label: "Del", name: "Delete"},
        {code: "Home", label: "Home", name: "Home"},
        {code: "End", label: "End", name: "End"},
        {code: "PageUp", label: "PgUp", name: "Page Up"},
        {code: "PageDown", label: "PgDn", name: "Page Down"},
    ],
]);

/** The keys that toggle a lock; `getModifierState` has the same names. */
const lockKeys = ["CapsLock", "NumLock"];
/** The only keypad keys whose characters depend on the layout. */
const keypadPoints = ["NumpadDecimal", "NumpadComma"];

/** Turns the page's keyboard events into messages of docs/web/protocol.md. */
export class Keyboard {
    /** The keys that are down at the host: their codes, with `KeyboardEvent.key` at the time of the press. */
    #down = new Map();
    #sticky = new Set();
    /** Modifiers that only choose characters, such as AltGr: down on this machine, but not reported to the host. */
    #deferred = new Set();
    /**
     * The time of a Control press that may belong to AltGr; `null` if there is none.
     * @type {number | null}
     */
    #control = null;
    /** True after a dead key, so that the text field has to receive the next character, too. */
    #isDead = false;
    /**
     * The lock states that were last sent to the host; `null` if they have to be sent again.
     * @type {{caps: boolean, num: boolean | undefined} | null}
     */
    #locks = null;

    /**
     * `byCharacter`: true to send the character that a key produces on this machine; false to send positions, so that the
     * host's layout determines the character. `exchangesCommand`: true to exchange Command (the system key) and Control. Both
     * may change only while no key is down. `platform`: this browser's platform, for its quirks.
     * @param {{byCharacter?: boolean, exchangesCommand?: boolean, platform?: "mac" | "windows" | ""}} settings
     */
    constructor({byCharacter = false, exchangesCommand = false, platform = ""} = {}) {
        this.byCharacter = byCharacter;
        this.exchangesCommand = exchangesCommand;
        this.platform = platform;
    }

    /**
     * The sticky modifiers that are down.
     * @returns {string[]}
     */
    get sticky() {
        return modifiers.map(({name}) => name).filter((name) => this.#sticky.has(name));
    }

    /** True if a key is down at the host, so that `alive` messages are due. */
    get isHolding() {
        return this.#down.size > 0 || this.#sticky.size > 0;
    }

    /**
     * True if the event is for the host, so that the page has to prevent the browser's default action. All other events are
     * left to the text field.
     * @param {KeyboardEvent} event
     */
    takes(event) {
        const code = codeOf(event);
        if (code === null || isComposed(event)) return false;
        return !this.#isComposing(event) && !this.#isDeferred(code, event);
    }

    /** @param {KeyboardEvent} event @returns {import("./input.js").Message[]} */
    keyDown(event) {
        const messages = this.tick(event.timeStamp);
        const code = this.#hostsCode(event);
        if (isComposed(event)) this.#isDead = false;
        if (code === null || isComposed(event)) return messages;
        if (this.platform === "windows" && this.#exchange(code) === "ControlLeft") {
            if (!event.repeat && !this.#down.has(code) && !this.#isAltGrDown) this.#control = event.timeStamp;
            return messages;
        }
        // The pending Control press belongs to AltGr; otherwise `tick` would have sent it.
        if (code === "AltRight") this.#control = null;
        if (event.repeat) return messages;
        if (this.#isDeferred(code, event)) {
            this.#deferred.add(code);
            return messages;
        }
        messages.push(...this.#pressControl());
        const isComposing = this.#isComposing(event);
        if (!modifierKeys.has(code)) this.#isDead = isComposing && event.key === "Dead";
        if (isComposing) return messages;
        if (!modifierKeys.has(code)) messages.push(...this.#releaseLost(event));
        if (lockKeys.includes(code)) this.#locks = null;
        else if (!modifierKeys.has(code)) messages.push(...this.locks(event));
        if (this.#isPressedOnly(code, event)) {
            messages.push(...this.#release(code), this.#message("keyPress", code, event));
            return messages;
        }
        // Browsers on macOS do not report releases while Command is down.
        if (this.platform === "mac" && isMeta(this.#exchange(code))) messages.push(...this.#releaseKeys());
        // The key's release was not reported.
        if (this.#down.has(code)) messages.push(...this.#release(code));
        messages.push(...this.#press(code, event));
        return messages;
    }

    /** @param {KeyboardEvent} event @returns {import("./input.js").Message[]} */
    keyUp(event) {
        const messages = this.tick(event.timeStamp);
        const code = this.#hostsCode(event);
        if (code === null) return messages;
        if (this.#exchange(code) === "ControlLeft") messages.push(...this.#pressControl());
        this.#deferred.delete(code);
        if (this.platform === "mac" && code === "CapsLock") {
            this.#locks = null;
            messages.push(this.#message("keyPress", code, event));
            return messages;
        }
        // Keys that were pressed before a Command whose press was not reported.
        if (this.platform === "mac" && isMeta(this.#exchange(code))) messages.push(...this.#releaseKeys());
        // Windows does not report the release of the first of two Shift keys.
        messages.push(...this.#release(code));
        if (this.platform === "windows" && isShift(code)) {
            messages.push(...this.#release(other(code)));
        }
        return messages;
    }

    /**
     * Types text. While a sticky modifier is down, a single character is sent as its key, for example for Command-C.
     * @param {string} characters @returns {import("./input.js").Message[]}
     */
    text(characters) {
        if (characters === "") return [];
        const key = keyTyping(characters);
        if (key !== undefined && this.#sticky.size > 0) {
            return [this.#message("keyPress", key.code, null, key.isShifted)];
        }
        // Release the modifiers that are down at the host, because they would change the text.
        const held = modifiers.flatMap(({left, right}) => [left, right]).filter((code) => this.#isDown(code));
        return [
            ...held.map((code) => up(code)).reverse(),
            ...pieces(characters).map((piece) => ({type: "text", characters: piece})),
            ...held.map((code) => down("keyDown", code, [])),
        ];
    }

    /**
     * Handles a tap on a key of the special keyboard.
     * @param {string} code @returns {import("./input.js").Message[]}
     */
    press(code) {
        return keyOf(code) === null ? [] : [this.#message("keyPress", currentName(code), null)];
    }

    /**
     * Presses the paste keys at the host, Command-V or Control-V as on this machine.
     * @returns {import("./input.js").Message[]}
     */
    paste() {
        const isCommand = (this.platform === "mac") !== this.exchangesCommand;
        return [down("keyPress", "KeyV", [isCommand ? "cmd" : "ctrl"])];
    }

    /**
     * Handles a tap on a modifier of the special keyboard.
     * @param {"cmd"|"ctrl"|"alt"|"shift"} name @returns {import("./input.js").Message[]}
     */
    toggle(name) {
        const modifier = modifiers.find((candidate) => candidate.name === name);
        if (modifier === undefined) return [];
        const code = modifier.left;
        const wasDown = this.#isDown(code);
        if (!this.#sticky.delete(name)) this.#sticky.add(name);
        if (wasDown === this.#isDown(code)) return [];
        return [wasDown ? up(code) : this.#message("keyDown", code, null)];
    }

    /**
     * Releases all keys, locally and at the host.
     * @returns {import("./input.js").Message[]}
     */
    releaseAll() {
        this.#down.clear();
        this.#sticky.clear();
        this.#deferred.clear();
        this.#control = null;
        this.#isDead = false;
        this.#locks = null;
        return [{type: "releaseAll"}];
    }

    /**
     * Returns a message with the lock states of a keyboard or mouse event, if they differ from the last ones sent.
     * @param {KeyboardEvent | MouseEvent} event @returns {import("./input.js").Message[]}
     */
    locks(event) {
        // Wait for the release of a lock key, because systems change the lock at the press or at the release.
        if (lockKeys.some((code) => this.#down.has(code))) return [];
        const caps = event.getModifierState?.("CapsLock"), num = event.getModifierState?.("NumLock");
        if (typeof caps !== "boolean" || this.#locks?.caps === caps && this.#locks?.num === num) return [];
        this.#locks = {caps, num};
        // Macs have no Num Lock, and always report it as off.
        return [this.platform === "mac" ? {type: "locks", caps} : {type: "locks", caps, num}];
    }

    /**
     * Presses the modifiers that were held back, because they apply to a button or the wheel, too.
     * @returns {import("./input.js").Message[]}
     */
    flush() {
        const messages = this.#pressControl();
        for (const code of this.#deferred) messages.push(...this.#press(code, null));
        this.#deferred.clear();
        return messages;
    }

    /**
     * Handles expired deadlines.
     * @param {number} now @returns {import("./input.js").Message[]}
     */
    tick(now) {
        return this.deadline !== null && this.deadline <= now ? this.#pressControl() : [];
    }

    /** The time of the next necessary call of `tick`; `null` for none. */
    get deadline() {
        return this.#control === null ? null : this.#control + FALSE_CONTROL_TIME;
    }

    // Mapping of keys

    /**
     * Maps a local key to the host's key, or back.
     * @param {string} code
     */
    #exchange(code) { return this.exchangesCommand ? exchanged[code] ?? code : code; }

    /** @param {KeyboardEvent} event */
    #hostsCode(event) {
        const code = codeOf(event);
        return code === null ? null : this.#exchange(code);
    }

    /**
     * Returns the event field for the local state of one of the host's modifiers.
     * @param {Modifier} modifier
     */
    #fieldOf({name, field}) {
        if (!this.exchangesCommand) return field;
        if (name === "cmd") return "ctrlKey";
        return name === "ctrl" ? "metaKey" : field;
    }

    get #isAltGrDown() {
        return this.#down.has("AltRight") || this.#deferred.has("AltRight");
    }

    /**
     * True if a key is sent as the character that it produces.
     * @param {KeyboardEvent} event
     */
    #isCharacter(event) {
        if (!this.byCharacter || this.#sticky.size > 0 || [...(event.key ?? "")].length !== 1) return false;
        const code = currentName(event.code);
        return !this.#isShortcut(event) && (!code.startsWith("Numpad") || keypadPoints.includes(code));
    }

    /**
     * True if the text field has to receive the event: a dead key, or the key after it.
     * @param {KeyboardEvent} event
     */
    #isComposing(event) {
        if (this.#isCharacter(event)) return this.#isDead;
        return event.key === "Dead" && this.byCharacter && this.#sticky.size === 0 && !this.#isShortcut(event);
    }

    /**
     * True if modifiers are held that make the key a shortcut instead of a character.
     * @param {KeyboardEvent} event
     */
    #isShortcut(event) {
        if (event.metaKey) return true;
        if (hasAltGraph(event)) return false;
        // On a Mac, Option types special characters.
        return event.ctrlKey || event.altKey && this.platform !== "mac";
    }

    /**
     * True if a modifier only chooses the characters of other keys.
     * @param {string} code
     * @param {KeyboardEvent} event
     */
    #isDeferred(code, event) {
        if (!this.byCharacter || this.#sticky.size > 0) return false;
        if (this.platform === "mac") return code === "AltLeft" || code === "AltRight";
        return code === "AltRight" && event.key === "AltGraph";
    }

    /**
     * True for keys whose release is not reported (on a Mac, all keys while Command is down), or whose events report a lock's
     * state.
     * @param {string} code
     * @param {KeyboardEvent} event
     */
    #isPressedOnly(code, event) {
        if (this.platform === "mac") return code === "CapsLock" || (event.metaKey && !modifierKeys.has(code));
        return this.platform === "windows" && withoutRelease.has(event.key);
    }

    // Keys that are down

    /**
     * True if a key is down at the host.
     * @param {string} code
     */
    #isDown(code) {
        return this.#down.has(code) || modifiers.some(({name, left}) => left === code && this.#sticky.has(name));
    }

    /** @param {string} code @param {KeyboardEvent | null} event */
    #press(code, event) {
        const wasDown = this.#isDown(code);
        this.#down.set(code, event?.key ?? "");
        return wasDown ? [] : [this.#message("keyDown", code, event)];
    }

    /** @param {string} code */
    #release(code) {
        if (!this.#down.delete(code) || this.#isDown(code)) return [];
        return [up(code)];
    }

    /** Releases all keys except modifiers, the last one first. */
    #releaseKeys() {
        return [...this.#down.keys()].reverse().filter((code) => !modifierKeys.has(code))
            .flatMap((code) => this.#release(code));
    }

    #pressControl() {
        if (this.#control === null) return [];
        this.#control = null;
        return this.#press(this.#exchange("ControlLeft"), /** @type {KeyboardEvent} */ ({key: "Control"}));
    }

    /**
     * Releases modifiers that an event reports as up, because their release was sent to another program, such as the window
     * manager.
     * @param {KeyboardEvent} event
     */
    #releaseLost(event) {
        const messages = [];
        for (const modifier of modifiers) {
            const {left, right} = modifier, field = this.#fieldOf(modifier);
            if (event[field] || (field === "altKey" && hasAltGraph(event))) continue;
            for (const code of [left, right]) {
                if (modifierNames.has(this.#down.get(code))) messages.push(...this.#release(code));
            }
        }
        return messages;
    }

    /**
     * @param {string} type
     * @param {string} code
     * @param {KeyboardEvent | null} event
     * @param {boolean} isShifted
     */
    #message(type, code, event, isShifted = false) {
        if (event && this.#isCharacter(event)) return {...down(type, code, []), character: event.key};
        const names = modifiers.filter((modifier) => {
            const {name, left, right} = modifier, field = this.#fieldOf(modifier);
            if (code === left || code === right) return false;
            if (this.#isDown(left) || (name === "shift" && isShifted)) return true;
            // AltGr chooses characters; its meaning at the host depends on the host's layout.
            if (name === "alt" && this.#isAltGrDown) return false;
            if (this.#isDown(right)) return true;
            // Windows reports AltGr as Control and Alt.
            if (!event?.[field] || hasAltGraph(event) && (field === "altKey" || field === "ctrlKey")) return false;
            return !(field === "ctrlKey" && this.platform === "windows" && this.#isAltGrDown);
        });
        return down(type, code, names.map(({name}) => name));
    }
}

/**
 * Returns the key of an event by its position, or else by its name; `null` if the host has no such key.
 * @param {KeyboardEvent} event
 */
function codeOf(event) {
    const code = currentName(event.code);
    if (keyOf(code)) return code;
    return (code === "" || code === "Unidentified") && named.has(event.key) ? event.key : null;
}

/**
 * True if the event belongs to an input method.
 * @param {KeyboardEvent} event
 */
function isComposed(event) {
    return event.isComposing === true || event.keyCode === 229 || event.key === "Process";
}

/** @param {KeyboardEvent} event */
function hasAltGraph(event) {
    return event.getModifierState?.("AltGraph") === true;
}

/** @param {string} code */
function isMeta(code) {
    return code === "MetaLeft" || code === "MetaRight";
}

/**
 * Returns the same modifier's key on the other side.
 * @param {string} code
 */
function other(code) {
    return code.endsWith("Left") ? code.replace("Left", "Right") : code.replace("Right", "Left");
}

/** @param {string} code */
function isShift(code) {
    return code === "ShiftLeft" || code === "ShiftRight";
}

/**
 * Returns the fields that identify a key: macOS's key code if it has one, otherwise the USB usage.
 * @param {string} code
 */
function identity(code) {
    const {keyCode, usage} = /** @type {NonNullable<ReturnType<typeof keyOf>>} */ (keyOf(code));
    return keyCode === undefined ? {usage} : {keyCode};
}

/** @param {string} type @param {string} code @param {string[]} names */
function down(type, code, names) {
    return {type, ...identity(code), modifiers: names};
}

/** @param {string} code */
function up(code) {
    return down("keyUp", code, []);
}

/**
 * Splits text into pieces of at most `TEXT_LIMIT` bytes, between characters.
 * @param {string} text
 */
function pieces(text) {
    const pieces = [];
    let piece = "";
    let size = 0;
    for (const character of text) {
        const scalar = character.codePointAt(0) ?? 0;
        const width = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
        if (size + width > TEXT_LIMIT) {
            pieces.push(piece);
            piece = "";
            size = 0;
        }
        piece += character;
        size += width;
    }
    return piece === "" ? pieces : [...pieces, piece];
}
