// What a touch keyboard or an input method did to a field, as backspaces and text.

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
