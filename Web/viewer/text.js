// What a touch keyboard did to a field, as text and backspaces; and text cut to what a message may have.

/** Bytes of UTF-8 in a `text`. */
const LONGEST = 4096;

/**
 * How `after` comes from `before`: so many characters (as a person counts them, by code point) taken from the end, then
 * `text` added. Touch keyboards rewrite whole words when they correct.
 * @param {string} before @param {string} after
 * @returns {{erased: number, text: string}}
 */
export function changeOf(before, after) {
    const old = [...before], now = [...after];
    let same = 0;
    while (same < old.length && same < now.length && old[same] === now[same]) same++;
    return {erased: old.length - same, text: now.slice(same).join("")};
}

/** The messages that type a text: line ends and tabs are keys to any program, so they are left in. */
export function* textMessages(text) {
    let characters = "", length = 0;
    for (const character of text) {
        const bytes = new TextEncoder().encode(character).length;
        if (length + bytes > LONGEST) {
            yield {type: "text", characters};
            characters = "";
            length = 0;
        }
        characters += character;
        length += bytes;
    }
    if (characters) yield {type: "text", characters};
}
