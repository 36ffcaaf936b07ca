// Keys: which are the host's, and what is down there. No DOM but the fields of its events, no clock.
// docs/web/keyboard.md has the rules; Testing/Vectors/keyboard.json holds this and Swift's SpecialKeyboard to them.

import {currentName, keyOf, keyTyping} from "./keytable.js";

/** Of an AltGr, Windows says that Control went down too, just before. */
const FALSE_CONTROL_TIME = 50;
/** Bytes of UTF-8 that a host takes in one message. */
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
/** What a modifier key is called while it is one. */
const modifierNames = new Set(["Meta", "OS", "Control", "Alt", "AltGraph", "Shift"]);

/**
 * The keys that change places where Command and Control are exchanged.
 * @type {Record<string, string>}
 */
const exchanged = {
    MetaLeft: "ControlLeft", MetaRight: "ControlRight", ControlLeft: "MetaLeft", ControlRight: "MetaRight",
};

/** Keys that a touch keyboard may tell by what they do, having no place. */
const named = new Set([
    "Enter", "Escape", "Backspace", "Tab", "Delete", "Insert", "Home", "End", "PageUp", "PageDown",
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
]);

/** Of Japanese keyboards; Windows does not tell when they go up. */
const withoutRelease = new Set([
    "ZenkakuHankaku", "Zenkaku", "Hankaku", "Alphanumeric", "Eisu", "Katakana", "Hiragana", "HiraganaKatakana",
    "KanaMode", "Romaji",
]);

/**
 * The special keyboard, row by row. `modifier`: a key that stays down until tapped again; `code`: one that is pressed.
 */
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

/** Keys that switch something on and off, by the name that events have for their state. */
const lockKeys = ["CapsLock", "NumLock"];
/** The keys of a keypad that layouts differ in; all others of it are everywhere the same. */
const keypadPoints = ["NumpadDecimal", "NumpadComma"];

/** Turns the page's keyboard events into messages of docs/web/protocol.md. */
export class Keyboard {
    /** Keys down here that the host was told of: their codes and what the browser took each for. */
    #down = new Map();
    #sticky = new Set();
    /** Keys that choose which character others make, AltGr say: down here, of no concern to the host. */
    #deferred = new Set();
    /**
     * When a Control went down that may be AltGr's.
     * @type {number | null}
     */
    #control = null;
    /** Whether a dead key went down: the text field is to have the next character, too. */
    #isDead = false;
    /**
     * Whether Caps Lock and Num Lock are on, as the host was told last; `null`: it is to be told.
     * @type {{caps: boolean, num: boolean | undefined} | null}
     */
    #locks = null;

    /**
     * `byCharacter`: the character that a key makes here arrives; else the host's layout says what keys make.
     * `exchangesCommand`: Command, or the system's key, is the host's Control, and the other way round. Both change while
     * nothing is down. `platform`: this browser's, for its quirks.
     * @param {{byCharacter?: boolean, exchangesCommand?: boolean, platform?: "mac" | "windows" | ""}} settings
     */
    constructor({byCharacter = false, exchangesCommand = false, platform = ""} = {}) {
        this.byCharacter = byCharacter;
        this.exchangesCommand = exchangesCommand;
        this.platform = platform;
    }

    /**
     * The modifiers that stay down.
     * @returns {string[]}
     */
    get sticky() {
        return modifiers.map(({name}) => name).filter((name) => this.#sticky.has(name));
    }

    /** Whether something is down at the host: `alive` is due. */
    get isHolding() {
        return this.#down.size > 0 || this.#sticky.size > 0;
    }

    /**
     * Whether the event is a key for the host. Then the page prevents what the browser does with it; all else it leaves
     * to the text field.
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
        // Had it been there for longer, `tick` would have sent it.
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
        // Browsers of macOS are silent about keys that go up while Command is down.
        if (this.platform === "mac" && isMeta(this.#exchange(code))) messages.push(...this.#releaseKeys());
        // Its release was not heard.
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
        // What was down before a Command whose press was not heard.
        if (this.platform === "mac" && isMeta(this.#exchange(code))) messages.push(...this.#releaseKeys());
        // Windows is silent about the first of two.
        messages.push(...this.#release(code));
        if (this.platform === "windows" && isShift(code)) {
            messages.push(...this.#release(other(code)));
        }
        return messages;
    }

    /**
     * Types text. With a sticky modifier, one character that a key types is that key: Command and C copy.
     * @param {string} characters @returns {import("./input.js").Message[]}
     */
    text(characters) {
        if (characters === "") return [];
        const key = keyTyping(characters);
        if (key !== undefined && this.#sticky.size > 0) {
            return [this.#message("keyPress", key.code, null, key.isShifted)];
        }
        // Under modifiers that are down at the host, text would be something else.
        const held = modifiers.flatMap(({left, right}) => [left, right]).filter((code) => this.#isDown(code));
        return [
            ...held.map((code) => up(code)).reverse(),
            ...pieces(characters).map((piece) => ({type: "text", characters: piece})),
            ...held.map((code) => down("keyDown", code, [])),
        ];
    }

    /**
     * A key of the special keyboard, tapped.
     * @param {string} code @returns {import("./input.js").Message[]}
     */
    press(code) {
        return keyOf(code) === null ? [] : [this.#message("keyPress", currentName(code), null)];
    }

    /**
     * What pastes at the host, as who sits here would press it.
     * @returns {import("./input.js").Message[]}
     */
    paste() {
        const isCommand = (this.platform === "mac") !== this.exchangesCommand;
        return [down("keyPress", "KeyV", [isCommand ? "cmd" : "ctrl"])];
    }

    /**
     * A modifier of the special keyboard, tapped.
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
     * Nothing is down any more, here or there.
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
     * The locks that an event of keyboard or mouse tells of, where the host was told others.
     * @param {KeyboardEvent | MouseEvent} event @returns {import("./input.js").Message[]}
     */
    locks(event) {
        // Systems differ in whether a lock changes when its key goes down or up.
        if (lockKeys.some((code) => this.#down.has(code))) return [];
        const caps = event.getModifierState?.("CapsLock"), num = event.getModifierState?.("NumLock");
        if (typeof caps !== "boolean" || this.#locks?.caps === caps && this.#locks?.num === num) return [];
        this.#locks = {caps, num};
        // Macs have no Num Lock, and say that it is off.
        return [this.platform === "mac" ? {type: "locks", caps} : {type: "locks", caps, num}];
    }

    /**
     * Before a button or the wheel: modifiers that were kept back count for those too.
     * @returns {import("./input.js").Message[]}
     */
    flush() {
        const messages = this.#pressControl();
        for (const code of this.#deferred) messages.push(...this.#press(code, null));
        this.#deferred.clear();
        return messages;
    }

    /**
     * Does what is due.
     * @param {number} now @returns {import("./input.js").Message[]}
     */
    tick(now) {
        return this.deadline !== null && this.deadline <= now ? this.#pressControl() : [];
    }

    /** When `tick` is next needed, or `null`. */
    get deadline() {
        return this.#control === null ? null : this.#control + FALSE_CONTROL_TIME;
    }

    // What goes as what

    /**
     * The key that is pressed at the host for one of here, and the other way round.
     * @param {string} code
     */
    #exchange(code) { return this.exchangesCommand ? exchanged[code] ?? code : code; }

    /** @param {KeyboardEvent} event */
    #hostsCode(event) {
        const code = codeOf(event);
        return code === null ? null : this.#exchange(code);
    }

    /**
     * The field of events that says whether one of the host's modifiers is down here.
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
     * Whether a key goes as the character that it makes.
     * @param {KeyboardEvent} event
     */
    #isCharacter(event) {
        if (!this.byCharacter || this.#sticky.size > 0 || [...(event.key ?? "")].length !== 1) return false;
        const code = currentName(event.code);
        return !this.#isShortcut(event) && (!code.startsWith("Numpad") || keypadPoints.includes(code));
    }

    /**
     * Whether a text field is to have it: a dead key, and what it makes of the next one.
     * @param {KeyboardEvent} event
     */
    #isComposing(event) {
        if (this.#isCharacter(event)) return this.#isDead;
        return event.key === "Dead" && this.byCharacter && this.#sticky.size === 0 && !this.#isShortcut(event);
    }

    /**
     * Whether modifiers are held that make a character's key another's.
     * @param {KeyboardEvent} event
     */
    #isShortcut(event) {
        if (event.metaKey) return true;
        if (hasAltGraph(event)) return false;
        // Option is what types special characters on a Mac.
        return event.ctrlKey || event.altKey && this.platform !== "mac";
    }

    /**
     * Whether a modifier is only about which character others make.
     * @param {string} code
     * @param {KeyboardEvent} event
     */
    #isDeferred(code, event) {
        if (!this.byCharacter || this.#sticky.size > 0) return false;
        if (this.platform === "mac") return code === "AltLeft" || code === "AltRight";
        return code === "AltRight" && event.key === "AltGraph";
    }

    /**
     * Keys whose release is not told (on a Mac all, with Command), or whose press and release are told as on and off.
     * @param {string} code
     * @param {KeyboardEvent} event
     */
    #isPressedOnly(code, event) {
        if (this.platform === "mac") return code === "CapsLock" || (event.metaKey && !modifierKeys.has(code));
        return this.platform === "windows" && withoutRelease.has(event.key);
    }

    // What is down

    /**
     * Whether a key is down at the host.
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

    /** All but modifiers, the last one first. */
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
     * Modifiers that another event says are up: their release went to somebody else, such as the window manager.
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
            // AltGr types characters; what it does at the host is for the host's layout to say.
            if (name === "alt" && this.#isAltGrDown) return false;
            if (this.#isDown(right)) return true;
            // Windows tells an AltGr as Control and Alt.
            if (!event?.[field] || hasAltGraph(event) && (field === "altKey" || field === "ctrlKey")) return false;
            return !(field === "ctrlKey" && this.platform === "windows" && this.#isAltGrDown);
        });
        return down(type, code, names.map(({name}) => name));
    }
}

/**
 * The key of an event, by its place or else by its name; `null` where it is none that the host has.
 * @param {KeyboardEvent} event
 */
function codeOf(event) {
    const code = currentName(event.code);
    if (keyOf(code)) return code;
    return (code === "" || code === "Unidentified") && named.has(event.key) ? event.key : null;
}

/**
 * An input method's business.
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
 * The same modifier's key on the other side.
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
 * By macOS's key code, where it has one.
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
 * Of at most `TEXT_LIMIT` bytes each, cut between characters.
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
