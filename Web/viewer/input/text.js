// Converts the changes that a touch keyboard or input method made to a text field to backspaces and text.

/**
 * Returns the change from `before` to `after`: the number of code points erased at the end, and the text added. Touch keyboards
 * rewrite whole words when they correct.
 * @param {string} before @param {string} after
 * @returns {{erased: number, text: string}}
 */
export function changeOf(before, after) {
    const old = [...before], now = [...after];
    let same = 0;
    while (same < old.length && same < now.length && old[same] === now[same]) same++;
    return {erased: old.length - same, text: now.slice(same).join("")};
}
