// The parts of H.264 (ITU-T H.264) that a page needs to decode a stream itself: NAL units in Annex B format, sequence parameter
// sets, `frame_num` of slices, and the host's mark on repair pictures. No DOM.

/** Values of `nal_unit_type` (table 7-1). */
export const NAL = {slice: 1, idr: 5, sei: 6, sps: 7};
/** The values of `profile_idc` whose parameter sets have chroma fields (section 7.3.2.1.1). */
const HIGH_PROFILES = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]);
/** The maximum width and height that are accepted, in pixels. */
const MOST_EXTENT = 16384;
/** The `aspect_ratio_idc` that is followed by an explicit aspect ratio. */
const EXTENDED_SAR = 255;
/** The number of bytes that contain a slice's header up to `frame_num`, with emulation prevention bytes. */
const SLICE_HEAD = 24;
/** The `payloadType` of `user_data_unregistered` (section D.1.7), and the UUID of the host's mark: "Heliograph repai". */
const USER_DATA = 5, REPAIR = Array.from("Heliograph repai", (letter) => letter.charCodeAt(0));
/** The maximum number of bytes of an SEI NAL unit to read. */
const MOST_SEI = 4096;

/** The start code of Annex B. */
const START = [0, 0, 0, 1];

/**
 * The colour of a picture: code points of ITU-T H.273.
 * @typedef {{primaries: number, transfer: number, matrix: number, isFullRange: boolean}} Color
 *
 * @typedef {object} Parameters of a sequence parameter set
 * @property {string} codec in WebCodecs' notation: `avc1.42C01F`
 * @property {{width: number, height: number}} coded the size in pixels, in whole macroblocks
 * @property {{width: number, height: number}} visible the size in pixels after cropping
 * @property {Color | null} color `null` if it is not in the stream
 * @property {boolean} hasReorderZero true if the set states that output order equals decoding order
 * @property {number} references the maximum number of reference pictures
 * @property {number} frameNumberBits the length of `frame_num`
 * @property {boolean} hasSeparatePlanes true if slices contain `colour_plane_id` before `frame_num`
 * @property {{vui: number, restriction: number, transfer: number, end: number}} places positions in bits in the payload
 *   without emulation prevention: of `vui_parameters_present_flag`; of `bitstream_restriction_flag` and
 *   `transfer_characteristics`, -1 if absent; and of the end of all fields
 */

/** Reads bits, most significant first. Throws at the end of the data. */
export class BitReader {
    #bytes;
    at = 0;

    /** @param {Uint8Array} bytes the data without emulation prevention */
    constructor(bytes) { this.#bytes = bytes; }

    /** @param {number} count at most 32 */
    bits(count) {
        let value = 0;
        for (let i = 0; i < count; i++, this.at++) {
            if (this.at >> 3 >= this.#bytes.length) throw new RangeError("the parameter set ends too early");
            value = value * 2 + (this.#bytes[this.at >> 3] >> 7 - (this.at & 7) & 1);
        }
        return value;
    }

    flag() { return this.bits(1) === 1; }

    /** `ue(v)` (section 9.1). */
    unsigned() {
        let zeros = 0;
        while (!this.flag()) if (++zeros > 31) throw new RangeError("a number that is too large");
        return 2 ** zeros - 1 + this.bits(zeros);
    }

    /** `se(v)`. */
    signed() {
        const code = this.unsigned();
        return code % 2 ? (code + 1) / 2 : -code / 2;
    }
}

/** Writes bits, most significant first. */
export class BitWriter {
    /** @type {number[]} */
    #bytes = [];
    #count = 0;

    /** @param {number} value @param {number} count at most 32 */
    bits(value, count) {
        for (let i = count - 1; i >= 0; i--, this.#count++) {
            if (!(this.#count & 7)) this.#bytes.push(0);
            this.#bytes[this.#count >> 3] |= Math.floor(value / 2 ** i) % 2 << 7 - (this.#count & 7);
        }
    }

    /** @param {number} value `ue(v)` */
    unsigned(value) {
        const length = Math.floor(Math.log2(value + 1));
        this.bits(0, length);
        this.bits(value + 1, length + 1);
    }

    /** Writes `rbsp_trailing_bits` (section 7.3.2.11). @returns {Uint8Array} all bytes */
    end() {
        this.bits(1, 1);
        return Uint8Array.from(this.#bytes);
    }
}

/**
 * Returns the NAL units of an access unit in Annex B format, without start codes and the zeros around them.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array[]}
 */
export function unitsOf(bytes) {
    const units = [];
    let start = -1;
    for (let at = 0; at + 2 < bytes.length; at++) {
        // The fast path for most bytes: no start code can begin at or before a byte above 1.
        if (bytes[at + 2] > 1) at += 2;
        else if (!bytes[at] && !bytes[at + 1] && bytes[at + 2]) {
            if (start >= 0) units.push(trimmed(bytes, start, at));
            start = at + 3;
            at += 2;
        }
    }
    if (start >= 0) units.push(trimmed(bytes, start, bytes.length));
    return units.filter(({length}) => length);
}

/** @param {Uint8Array} bytes @param {number} start @param {number} end */
function trimmed(bytes, start, end) {
    while (end > start && !bytes[end - 1]) end--;
    return bytes.subarray(start, end);
}

/**
 * Returns the NAL units of an access unit in Annex B format before its first slice. The slices are not searched.
 * @param {Uint8Array} bytes
 * @returns {{units: Uint8Array[], isKey: boolean, rest: Uint8Array}} `units`: the NAL units before the slice; `isKey`: true if
 *   the slice belongs to an IDR picture; `rest`: the slice and everything after it, beginning with its start code
 */
export function headOf(bytes) {
    const units = [];
    let start = -1;
    for (let at = 0; at + 3 < bytes.length; at++) {
        if (bytes[at] || bytes[at + 1] || bytes[at + 2] !== 1) continue;
        if (start >= 0) units.push(trimmed(bytes, start, at));
        start = at + 3;
        const type = bytes[start] & 0x1f;
        if (type >= NAL.slice && type <= NAL.idr) return {units, isKey: type === NAL.idr, rest: bytes.subarray(at)};
        at += 2;
    }
    if (start >= 0) units.push(trimmed(bytes, start, bytes.length));
    return {units, isKey: false, rest: bytes.subarray(bytes.length)};
}

/** @param {Uint8Array} unit a NAL unit */
export function typeOf(unit) { return unit[0] & 0x1f; }

/**
 * Joins NAL units to an access unit in Annex B format.
 * @param {Uint8Array[]} units
 * @returns {Uint8Array}
 */
export function joined(units) {
    const bytes = new Uint8Array(units.reduce((sum, {length}) => sum + START.length + length, 0));
    let at = 0;
    for (const unit of units) {
        bytes.set(START, at);
        bytes.set(unit, at + START.length);
        at += START.length + unit.length;
    }
    return bytes;
}

/**
 * Removes the emulation prevention bytes of a payload (section 7.4.1).
 * @param {Uint8Array} bytes
 */
export function unescaped(bytes) {
    const plain = new Uint8Array(bytes.length);
    let count = 0, zeros = 0;
    for (const byte of bytes) {
        if (zeros >= 2 && byte === 3) {
            zeros = 0;
            continue;
        }
        zeros = byte ? 0 : zeros + 1;
        plain[count++] = byte;
    }
    return plain.subarray(0, count);
}

/**
 * Inserts emulation prevention bytes into a payload.
 * @param {Uint8Array} bytes
 */
export function escaped(bytes) {
    const all = [];
    let zeros = 0;
    for (const byte of bytes) {
        if (zeros >= 2 && byte <= 3) {
            all.push(3);
            zeros = 0;
        }
        zeros = byte ? 0 : zeros + 1;
        all.push(byte);
    }
    return Uint8Array.from(all);
}

/**
 * @param {Uint8Array} unit a sequence parameter set with its header
 * @returns {Parameters | null} `null` if it can't be parsed
 */
export function parametersOf(unit) {
    try {
        return read(unescaped(unit.subarray(1)));
    } catch {
        return null;
    }
}

/** @param {Uint8Array} payload @returns {Parameters} */
function read(payload) {
    const reader = new BitReader(payload), profile = reader.bits(8), constraints = reader.bits(8), level = reader.bits(8);
    reader.unsigned();
    let chroma = 1, hasSeparatePlanes = false;
    if (HIGH_PROFILES.has(profile)) {
        chroma = reader.unsigned();
        if (chroma > 3) throw new RangeError("no such chroma format");
        if (chroma === 3) hasSeparatePlanes = reader.flag();
        // bit_depth_luma_minus8, bit_depth_chroma_minus8, qpprime_y_zero_transform_bypass_flag.
        reader.unsigned();
        reader.unsigned();
        reader.bits(1);
        if (reader.flag()) for (let i = 0; i < (chroma === 3 ? 12 : 8); i++) skipScaling(reader, i < 6 ? 16 : 64);
    }
    const frameNumberBits = reader.unsigned() + 4;
    skipOrder(reader);
    const references = reader.unsigned();
    reader.bits(1);
    const columns = reader.unsigned() + 1, rows = reader.unsigned() + 1, fields = reader.flag() ? 1 : 2;
    // mb_adaptive_frame_field_flag, direct_8x8_inference_flag.
    reader.bits(fields);
    const coded = {width: columns * 16, height: rows * 16 * fields}, visible = {...coded};
    if (reader.flag()) {
        const across = !hasSeparatePlanes && (chroma === 1 || chroma === 2) ? 2 : 1;
        const down = (!hasSeparatePlanes && chroma === 1 ? 2 : 1) * fields;
        visible.width -= (reader.unsigned() + reader.unsigned()) * across;
        visible.height -= (reader.unsigned() + reader.unsigned()) * down;
    }
    if (!(visible.width > 0 && visible.height > 0 && coded.width <= MOST_EXTENT && coded.height <= MOST_EXTENT)) {
        throw new RangeError("no such size");
    }
    const places = {vui: reader.at, restriction: -1, transfer: -1, end: 0}, hasVUI = reader.flag();
    const vui = hasVUI ? readVUI(reader, places) : {color: null, hasReorderZero: false};
    places.end = reader.at;
    const codec = `avc1.${[profile, constraints, level].map(hexadecimal).join("")}`;
    return {codec, coded, visible, ...vui, references, frameNumberBits, hasSeparatePlanes, places};
}

/** @param {number} byte */
function hexadecimal(byte) { return byte.toString(16).padStart(2, "0").toUpperCase(); }

/** @param {BitReader} reader @param {number} size */
function skipScaling(reader, size) {
    if (!reader.flag()) return;
    for (let i = 0, last = 8; i < size && last; i++) last = (last + reader.signed() + 256) % 256;
}

/**
 * Skips `pic_order_cnt_type` and its dependent fields.
 * @param {BitReader} reader
 */
function skipOrder(reader) {
    const type = reader.unsigned();
    if (type > 2) throw new RangeError("no such order");
    if (type === 0) reader.unsigned();
    if (type !== 1) return;
    reader.bits(1);
    reader.signed();
    reader.signed();
    const count = reader.unsigned();
    if (count > 255) throw new RangeError("no such cycle");
    for (let i = 0; i < count; i++) reader.signed();
}

/**
 * Reads `vui_parameters` (section E.1.1).
 * @param {BitReader} reader @param {Parameters["places"]} places
 * @returns {{color: Color | null, hasReorderZero: boolean}}
 */
function readVUI(reader, places) {
    if (reader.flag() && reader.bits(8) === EXTENDED_SAR) reader.bits(32);
    // overscan_info_present_flag, overscan_appropriate_flag.
    if (reader.flag()) reader.bits(1);
    /** @type {Color | null} */
    let color = null;
    if (reader.flag()) {
        reader.bits(3);
        color = {primaries: 2, transfer: 2, matrix: 2, isFullRange: reader.flag()};
        if (reader.flag()) {
            color.primaries = reader.bits(8);
            places.transfer = reader.at;
            color.transfer = reader.bits(8);
            color.matrix = reader.bits(8);
        }
    }
    if (reader.flag()) {
        reader.unsigned();
        reader.unsigned();
    }
    // num_units_in_tick, time_scale, fixed_frame_rate_flag.
    if (reader.flag()) for (const count of [32, 32, 1]) reader.bits(count);
    const hasNALRates = skipRates(reader), hasVCLRates = skipRates(reader);
    if (hasNALRates || hasVCLRates) reader.bits(1);
    reader.bits(1);
    places.restriction = reader.at;
    if (!reader.flag()) return {color, hasReorderZero: false};
    reader.bits(1);
    for (let i = 0; i < 4; i++) reader.unsigned();
    const reordered = reader.unsigned();
    reader.unsigned();
    return {color, hasReorderZero: reordered === 0};
}

/**
 * Skips `hrd_parameters` (section E.1.2) if they are present.
 * @param {BitReader} reader
 */
function skipRates(reader) {
    if (!reader.flag()) return false;
    const count = reader.unsigned() + 1;
    if (count > 32) throw new RangeError("no such rates");
    reader.bits(8);
    for (let i = 0; i < count; i++) {
        reader.unsigned();
        reader.unsigned();
        reader.bits(1);
    }
    reader.bits(20);
    return true;
}

/**
 * Changes a parameter set so that decoders delay no picture: it states that no picture is reordered, and that only reference
 * pictures are buffered. The stream must not contain B slices.
 * @param {Uint8Array} unit a sequence parameter set with its header
 * @param {number | null} transfer a replacement for `transfer_characteristics`, if the set contains this field
 * @returns {Uint8Array | null} `null` if it can't be parsed
 */
export function withoutReordering(unit, transfer = null) {
    const parameters = parametersOf(unit);
    if (!parameters) return null;
    const {places, references} = parameters, payload = unescaped(unit.subarray(1));
    const reader = new BitReader(payload), writer = new BitWriter();
    const copy = (/** @type {number} */ end) => { while (reader.at < end) writer.bits(reader.bits(1), 1); };
    copy(places.vui);
    writer.bits(1, 1);
    if (places.restriction < 0) {
        // No aspect ratio, overscan, video signal type, chroma location, timing, HRD parameters (two flags) and pic_struct.
        writer.bits(0, 8);
    } else {
        reader.bits(1);
        if (transfer !== null && places.transfer >= 0) {
            copy(places.transfer);
            reader.bits(8);
            writer.bits(transfer, 8);
        }
        copy(places.restriction);
    }
    writer.bits(1, 1);
    // motion_vectors_over_pic_boundaries_flag, and the inferred values of the next four fields (section E.2.1).
    writer.bits(1, 1);
    for (const value of [2, 1, 16, 16, 0, references]) writer.unsigned(value);
    return headed(unit[0], escaped(writer.end()));
}

/** @param {number} header @param {Uint8Array} payload */
function headed(header, payload) {
    const unit = new Uint8Array(1 + payload.length);
    unit[0] = header;
    unit.set(payload, 1);
    return unit;
}

/**
 * Finds `frame_num`, which follows `first_mb_in_slice`, `slice_type` and `pic_parameter_set_id` (section 7.3.3).
 * @param {Uint8Array} head the beginning of a slice's payload, without emulation prevention
 * @param {Pick<Parameters, "frameNumberBits" | "hasSeparatePlanes">} parameters
 */
function findFrameNumber(head, {hasSeparatePlanes}) {
    const reader = new BitReader(head);
    for (let i = 0; i < 3; i++) reader.unsigned();
    if (hasSeparatePlanes) reader.bits(2);
    return reader;
}

/**
 * @param {Uint8Array} unit a slice with its header
 * @param {Pick<Parameters, "frameNumberBits" | "hasSeparatePlanes">} parameters
 * @returns {number | null} `frame_num`; `null` if it can't be parsed
 */
export function frameNumberOf(unit, parameters) {
    try {
        const reader = findFrameNumber(unescaped(unit.subarray(1, 1 + SLICE_HEAD)), parameters);
        return reader.bits(parameters.frameNumberBits);
    } catch {
        return null;
    }
}

/**
 * Replaces `frame_num` in a slice. Emulation prevention is redone, so the length may change by some bytes.
 * @param {Uint8Array} unit a slice with its header
 * @param {Pick<Parameters, "frameNumberBits" | "hasSeparatePlanes">} parameters
 * @param {number} number
 * @returns {Uint8Array | null} `null` if its header can't be parsed
 */
export function withFrameNumber(unit, parameters, number) {
    // Cut after a byte that is not involved in emulation prevention, so that the rest stays valid.
    let end = Math.min(1 + SLICE_HEAD, unit.length);
    while (end < unit.length && (unit[end - 1] === 0 || unit[end - 1] === 3)) end++;
    const head = unescaped(unit.subarray(1, end)), {frameNumberBits} = parameters;
    let place;
    try {
        const reader = findFrameNumber(head, parameters);
        place = reader.at;
        reader.bits(frameNumberBits);
    } catch {
        return null;
    }
    for (let i = 0; i < frameNumberBits; i++, place++) {
        const mask = 0x80 >> (place & 7), bit = Math.floor(number / 2 ** (frameNumberBits - 1 - i)) % 2;
        head[place >> 3] = bit ? head[place >> 3] | mask : head[place >> 3] & ~mask;
    }
    const start = escaped(head), rest = unit.subarray(end);
    const whole = new Uint8Array(1 + start.length + rest.length);
    whole[0] = unit[0];
    whole.set(start, 1);
    whole.set(rest, 1 + start.length);
    return whole;
}

/**
 * Changes `frame_num` in all slices of an access unit that do not belong to an IDR picture.
 * @param {Uint8Array} bytes the access unit in Annex B format
 * @param {Pick<Parameters, "frameNumberBits" | "hasSeparatePlanes">} parameters
 * @param {number} shift the number to subtract
 * @returns {Uint8Array}
 */
export function renumbered(bytes, parameters, shift) {
    const modulus = 2 ** parameters.frameNumberBits;
    return joined(unitsOf(bytes).map((unit) => {
        const number = typeOf(unit) === NAL.slice ? frameNumberOf(unit, parameters) : null;
        if (number === null) return unit;
        return withFrameNumber(unit, parameters, ((number - shift) % modulus + modulus) % modulus) ?? unit;
    }));
}

/**
 * Returns the host's mark on a repair picture, a user data message in an SEI NAL unit (section 7.3.2.3.1): `| UUID (16 bytes) |
 * back (2 bytes) |`.
 * @param {Uint8Array} unit the NAL unit with its header
 * @returns {number | null} `back`; `null` without a mark
 */
export function repairMarkOf(unit) {
    const payload = unescaped(unit.subarray(1, 1 + MOST_SEI));
    let at = 0;
    const number = () => {
        let value = 0;
        while (payload[at] === 0xff) value += payload[at++];
        return value + payload[at++];
    };
    while (at < payload.length) {
        const type = number(), size = number();
        // Reading past the end gives NaN.
        if (!(at + size <= payload.length)) return null;
        const isMark = type === USER_DATA && size >= REPAIR.length + 2 && REPAIR.every((byte, i) => payload[at + i] === byte);
        if (isMark) return payload[at + REPAIR.length] << 8 | payload[at + REPAIR.length + 1];
        at += size;
    }
    return null;
}

/**
 * Returns the properties of a picture from the NAL units before its first slice, and from the start of that slice.
 * @param {Uint8Array} bytes the access unit in Annex B format
 * @param {Parameters | null} parameters the stream's last parameters
 * @returns {{isKey: boolean, isReference: boolean, number: number | null, back: number | null,
 *     parameters: Parameters | null}} `number`: `frame_num`; `back`: the mark of a repair picture; `parameters`: the picture's
 *     own parameters, or else the last ones
 */
export function pictureHead(bytes, parameters) {
    const {units, isKey, rest} = headOf(bytes), slice = rest.subarray(START.length - 1);
    let back = null;
    for (const unit of units) {
        if (typeOf(unit) === NAL.sps) parameters = parametersOf(unit) ?? parameters;
        else if (typeOf(unit) === NAL.sei) back ??= repairMarkOf(unit);
    }
    const number = parameters && slice.length ? frameNumberOf(slice, parameters) : null;
    // nal_ref_idc.
    return {isKey, isReference: slice.length > 0 && (slice[0] & 0x60) !== 0, number, back, parameters};
}
