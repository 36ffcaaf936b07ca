// Several files as one: a ZIP archive (APPNOTE 6.3.10) whose files are stored as they are, so that it is put together of
// them without a copy. Without its 64-bit fields: what is held in memory is less.

import {utf8} from "./bytes.js";

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
    let value = byte;
    for (let i = 0; i < 8; i++) value = value & 1 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
    return value;
});

/** The CRC-32 of what comes piece by piece. @param {number} crc of what came before, 0 at first @param {Uint8Array} bytes */
export function crc32(crc, bytes) {
    let value = ~crc;
    for (let i = 0; i < bytes.length; i++) value = value >>> 8 ^ TABLE[(value ^ bytes[i]) & 255];
    return ~value >>> 0;
}

/** The most files and folders, and the most bytes of an archive. */
const MOST_ENTRIES = 65_534, MOST_BYTES = 0xfffffffe;
/** UTF-8 names; the version that knows folders, and with it Unix, whose modes follow. */
const FLAGS = 1 << 11, VERSION = 20, MADE_BY = 3 << 8 | VERSION;
const FILE_MODE = 0o100644, FOLDER_MODE = 0o40755, FOLDER_ATTRIBUTE = 0x10;

/**
 * @param {{path: string, content: Blob | null, crc: number, modified: number}[]} entries `null`: a folder; `modified` in
 *   seconds since 1970
 * @returns {Blob}
 */
export function zip(entries) {
    const parts = [], directory = [];
    let at = 0;
    for (const {path, content, crc, modified} of entries) {
        const name = utf8(content ? path : `${path}/`), size = content?.size ?? 0;
        const common = [
            [2, FLAGS], [2, 0], [4, dosTime(modified)], [4, crc], [4, size], [4, size], [2, name.length], [2, 0],
        ];
        const mode = content ? FILE_MODE << 16 : FOLDER_MODE << 16 | FOLDER_ATTRIBUTE;
        directory.push(record(0x02014b50, [2, MADE_BY], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, mode],
            [4, at]), name);
        const header = record(0x04034b50, [2, VERSION], ...common);
        parts.push(header, name, ...(content ? [content] : []));
        at += header.length + name.length + size;
    }
    const size = directory.reduce((sum, {length}) => sum + length, 0), count = entries.length;
    if (count > MOST_ENTRIES || at + size > MOST_BYTES) throw new RangeError("too large for a ZIP archive");
    const end = record(0x06054b50, [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]);
    return new Blob([...parts, ...directory, end], {type: "application/zip"});
}

/** A signature and fields, each of so many bytes, little-endian. */
function record(signature, ...fields) {
    const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 4)), view = new DataView(bytes.buffer);
    view.setUint32(0, signature, true);
    let at = 4;
    for (const [size, value] of fields) {
        if (size === 2) view.setUint16(at, value, true);
        else view.setUint32(at, value, true);
        at += size;
    }
    return bytes;
}

/** MS-DOS's date and time, in the zone of this machine: from 1980 to 2107, in steps of two seconds. */
function dosTime(seconds) {
    const date = new Date(seconds * 1000), year = date.getFullYear();
    if (!(year >= 1980)) return 1 << 21 | 1 << 16;
    if (year > 2107) return dosTime(Date.UTC(2107, 5) / 1000);
    const day = year - 1980 << 9 | date.getMonth() + 1 << 5 | date.getDate();
    const time = date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1;
    return (day << 16 | time) >>> 0;
}
