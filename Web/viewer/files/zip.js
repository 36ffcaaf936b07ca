// Makes a ZIP archive (APPNOTE 6.3.10) whose files are stored uncompressed, so that it is composed of the files' Blobs without
// copying them.

import {utf8} from "../bytes/bytes.js";

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
    let value = byte;
    for (let i = 0; i < 8; i++) value = value & 1 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
    return value;
});

/**
 * Updates a CRC-32 with further bytes.
 * @param {number} crc the CRC-32 of the previous bytes, 0 at first @param {Uint8Array} bytes
 */
export function crc32(crc, bytes) {
    let value = ~crc;
    for (let i = 0; i < bytes.length; i++) value = value >>> 8 ^ TABLE[(value ^ bytes[i]) & 255];
    return ~value >>> 0;
}

/** The values of 16-bit and 32-bit fields that refer to a 64-bit field instead. */
const MANY = 0xffff, LARGE = 0xffffffff;
/**
 * The flag for UTF-8 names, the versions for folders and for 64-bit fields, and the creator system Unix, which has file modes.
 */
const FLAGS = 1 << 11, VERSION = 20, LARGE_VERSION = 45, UNIX = 3 << 8;
const FILE_MODE = 0o100644, FOLDER_MODE = 0o40755, FOLDER_ATTRIBUTE = 0x10;

/**
 * @typedef {{path: string, content: Blob | null, crc: number, modified: number}} Entry `content` is `null` for a folder;
 *   `modified` in seconds since 1970
 *
 * @param {Entry[]} entries @returns {Blob}
 */
export function zip(entries) { return new Blob(partsOfZip(entries), {type: "application/zip"}); }

/**
 * Returns the parts of the archive in order.
 * @param {Entry[]} entries @returns {(Uint8Array | Blob)[]}
 */
export function partsOfZip(entries) {
    const parts = [], directory = [];
    let at = 0;
    for (const {path, content, crc, modified} of entries) {
        const name = utf8(content ? path : `${path}/`), size = content?.size ?? 0;
        const [isLarge, isFar] = [size >= LARGE, at >= LARGE], sizes = isLarge ? [size, size] : [];
        const version = isLarge || isFar ? LARGE_VERSION : VERSION, shown = Math.min(size, LARGE);
        /** @type {[number, number][]} */
        const common = [[2, FLAGS], [2, 0], [4, dosTime(modified)], [4, crc], [4, shown], [4, shown], [2, name.length]];
        const mode = content ? FILE_MODE << 16 : FOLDER_MODE << 16 | FOLDER_ATTRIBUTE;
        const more = fieldsOf64(sizes), moreOfAll = fieldsOf64(isFar ? [...sizes, at] : sizes);
        directory.push(record([4, 0x02014b50], [2, UNIX | version], [2, version], ...common, [2, moreOfAll.length], [2, 0],
            [2, 0], [2, 0], [4, mode], [4, Math.min(at, LARGE)]), name, moreOfAll);
        const header = record([4, 0x04034b50], [2, version], ...common, [2, more.length]);
        parts.push(header, name, more, ...(content ? [content] : []));
        at += header.length + name.length + more.length + size;
    }
    const size = directory.reduce((sum, {length}) => sum + length, 0), count = entries.length;
    if (count >= MANY || size >= LARGE || at >= LARGE) {
        directory.push(
            record([4, 0x06064b50], [8, 44], [2, UNIX | LARGE_VERSION], [2, LARGE_VERSION], [4, 0], [4, 0], [8, count],
                [8, count], [8, size], [8, at]),
            record([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]));
    }
    const [most, far, long] = [Math.min(count, MANY), Math.min(at, LARGE), Math.min(size, LARGE)];
    return [...parts, ...directory,
        record([4, 0x06054b50], [2, 0], [2, 0], [2, most], [2, most], [4, long], [4, far], [2, 0])];
}

/**
 * Makes the extra field for values that exceed 32 bits.
 * @param {number[]} values
 */
function fieldsOf64(values) {
    if (!values.length) return new Uint8Array(0);
    return record([2, 1], [2, 8 * values.length], ...values.map((value) => /** @type {[number, number]} */ ([8, value])));
}

/**
 * Serialises fields given as size in bytes and value, little-endian.
 * @param {[number, number][]} fields
 */
function record(...fields) {
    const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
    let at = 0;
    for (const [size, value] of fields) {
        if (size === 2) view.setUint16(at, value, true);
        else if (size === 4) view.setUint32(at, value, true);
        else view.setBigUint64(at, BigInt(value), true);
        at += size;
    }
    return bytes;
}

/**
 * Converts a time to MS-DOS's date and time in this machine's time zone, limited to 1980 to 2107, in steps of two seconds.
 * @param {number} seconds
 * @returns {number}
 */
function dosTime(seconds) {
    const date = new Date(seconds * 1000), year = date.getFullYear();
    if (!(year >= 1980)) return 1 << 21 | 1 << 16;
    if (year > 2107) return dosTime(Date.UTC(2107, 5) / 1000);
    const day = year - 1980 << 9 | date.getMonth() + 1 << 5 | date.getDate();
    const time = date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1;
    return (day << 16 | time) >>> 0;
}
