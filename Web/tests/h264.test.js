// H.264 parameter sets and slices, as encoders write them.

import assert from "node:assert/strict";
import test from "node:test";
import {ECHO_SIZE, Echo} from "../viewer/picture/echo.js";
import {
    BitReader, BitWriter, escaped, frameNumberOf, headOf, joined, NAL, parametersOf, pictureHead, renumbered, repairMarkOf, typeOf,
    unescaped, unitsOf, withFrameNumber, withoutReordering,
} from "../viewer/picture/h264.js";

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (unit) => Buffer.from(unit).toString("hex");
const bt709 = {primaries: 1, transfer: 1, matrix: 1, isFullRange: false};

// As in Tests/HelioBitstreamTests/H264SequenceParametersTests.swift, which documents how they were made.
const SETS = [
    {
        name: "Constrained Baseline, BT.709", nal: "6742c01fda014016ec05a808080a000003000200000300791e306540",
        codec: "avc1.42C01F", coded: [1280, 720], visible: [1280, 720], color: bt709, hasReorderZero: true, references: 1,
    },
    {
        name: "1088 lines cropped to 1080, BT.601, B slices",
        nal: "67640028acd940780227e5c05a83008320000003002000000781e30632c0",
        codec: "avc1.640028", coded: [1920, 1088], visible: [1920, 1080],
        color: {primaries: 6, transfer: 1, matrix: 6, isFullRange: false}, hasReorderZero: false, references: 4,
    },
    {
        name: "4:4:4, cropped in steps of one pixel, full range",
        nal: "67f4002091968056061e2fc05b808080a0000003002000000791e30654",
        codec: "avc1.F40020", coded: [1376, 768], visible: [1366, 768], color: {...bt709, isFullRange: true},
        hasReorderZero: true, references: 1,
    },
    {
        name: "rates, aspect ratio, overscan, place of chroma, scaling lists",
        nal: "6764001eacd940a02ff970196e00000300020000030078c08001e848003d09c98600f162d960",
        codec: "avc1.64001E", coded: [640, 368], visible: [640, 360], color: null, hasReorderZero: false, references: 4,
    },
    {
        name: "4:2:2, interlaced", nal: "677a001fbcd940b424d80880000003008000001e0f8b16cb",
        codec: "avc1.7A001F", coded: [720, 576], visible: [720, 576], color: null, hasReorderZero: false, references: 4,
    },
    {
        name: "no VUI", nal: "6742c01f95a814016e40",
        codec: "avc1.42C01F", coded: [1280, 720], visible: [1280, 720], color: null, hasReorderZero: false,
    },
];

test("a parameter set says what a decoder has to know", () => {
    for (const {name, nal, codec, coded, visible, color, hasReorderZero, references} of SETS) {
        const found = parametersOf(bytes(nal));
        assert.ok(found, name);
        assert.equal(found.codec, codec, name);
        assert.deepEqual([found.coded.width, found.coded.height], coded, name);
        assert.deepEqual([found.visible.width, found.visible.height], visible, name);
        assert.deepEqual(found.color, color, name);
        assert.equal(found.hasReorderZero, hasReorderZero, name);
        if (references !== undefined) assert.equal(found.references, references, name);
    }
});

test("a parameter set that is cut off, or says what can't be, is none, and nothing throws", () => {
    for (const {nal} of SETS) {
        const whole = bytes(nal);
        // The last bytes may belong to fields that are not read.
        for (let length = 0; length < whole.length - 4; length++) parametersOf(whole.subarray(0, length));
        assert.equal(parametersOf(whole.subarray(0, 6)), null);
        for (let i = 1; i < whole.length; i++) {
            for (const value of [0, 0xff, whole[i] ^ 0x55]) {
                const broken = whole.slice();
                broken[i] = value;
                const found = parametersOf(broken);
                if (found) assert.ok(found.visible.width > 0 && found.visible.height > 0 && found.coded.width <= 16384);
                withoutReordering(broken);
            }
        }
    }
    assert.equal(parametersOf(bytes("67")), null);
});

test("without reordering, all else of a parameter set stays as it was", () => {
    for (const {name, nal} of SETS) {
        const before = parametersOf(bytes(nal)), unit = withoutReordering(bytes(nal)), after = parametersOf(unit);
        const {hasReorderZero: _, places: __, ...rest} = before;
        assert.ok(after.hasReorderZero, name);
        for (const [key, value] of Object.entries(rest)) assert.deepEqual(after[key], value, `${name}: ${key}`);
        assert.equal(hex(withoutReordering(unit)), hex(unit), `${name}: once more`);
        // max_dec_frame_buffering: no picture without references to it is kept.
        const reader = new BitReader(unescaped(unit.subarray(1)));
        reader.at = after.places.restriction + 2;
        assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => reader.unsigned()), [2, 1, 16, 16, 0, before.references], name);
        assert.doesNotMatch(hex(unit), /^(..)*0000(00|01|02)/, `${name}: no start code`);
    }
    const changed = parametersOf(withoutReordering(bytes(SETS[1].nal), 13));
    assert.deepEqual(changed.color, {primaries: 6, transfer: 13, matrix: 6, isFullRange: false});
    assert.equal(parametersOf(withoutReordering(bytes(SETS[5].nal), 13)).color, null);
    assert.equal(withoutReordering(bytes("6742")), null);
});

test("an access unit is taken apart at its start codes, and put together", () => {
    const units = [[0x67, 1, 2], [0x68, 3], [0x65, 0, 0, 3, 1, 9], [0x65, 7]].map((unit) => Uint8Array.from(unit));
    assert.deepEqual(unitsOf(joined(units)), units);
    // Start codes of three bytes, zeros around them, and data that is no NAL unit.
    const ragged = bytes("0000000001670102000000016803000000010000000165000003010900000165070000");
    assert.deepEqual(unitsOf(ragged).map(hex), units.map(hex));
    for (const text of ["", "00", "000001", "00000001", "0000010000", "670102"]) assert.deepEqual(unitsOf(bytes(text)), [], text);
    const {units: before, isKey, rest} = headOf(joined(units));
    assert.deepEqual(before.map(typeOf), [7, 8]);
    assert.ok(isKey);
    assert.equal(hex(rest), "0000016500000301090000000165" + "07");
    const delta = headOf(bytes("00000001060501800000000141e0"));
    assert.deepEqual([delta.units.length, delta.isKey, hex(delta.rest)], [1, false, "00000141e0"]);
    for (const text of ["", "0000", "000001", "00000167"]) assert.equal(headOf(bytes(text)).isKey, false, text);
    assert.equal(headOf(bytes("00000165")).isKey, true);
});

test("emulation prevention, there and back", () => {
    for (const [plain, coded] of [
        ["000000", "00000300"], ["000001", "00000301"], ["000003", "00000303"], ["000004", "000004"],
        ["00000000000000", "000003000003000003" + "00"], ["0100000201", "010000030201"],
    ]) {
        assert.equal(hex(escaped(bytes(plain))), coded);
        assert.equal(hex(unescaped(bytes(coded))), plain);
    }
});

/** Returns a slice with a `frame_num` of this many bits. */
function sliceOf(number, count, behind, first = 0) {
    const writer = new BitWriter();
    for (const value of [first, 5, 0]) writer.unsigned(value);
    writer.bits(number, count);
    return Uint8Array.from([0x41, ...escaped(Uint8Array.from([...writer.end(), ...behind]))]);
}

test("frame_num is read, and replaced, whatever stands behind it", () => {
    const random = ((seed) => () => (seed = seed * 48271 % 2147483647) / 2147483647)(7);
    for (let i = 0; i < 3000; i++) {
        const frameNumberBits = 4 + Math.floor(random() * 13), most = 2 ** frameNumberBits;
        // Many zeros and threes, which need emulation prevention.
        const behind = Array.from({length: Math.floor(random() * 60)}, () => [0, 0, 0, 1, 3, 255][Math.floor(random() * 6)]);
        if (behind.length && behind.at(-1) < 4) behind.push(0x80);
        const before = Math.floor(random() * most), after = i % 3 ? Math.floor(random() * most) : 0;
        const first = i % 2 ? 0 : Math.floor(random() * 8000);
        const parameters = {frameNumberBits, hasSeparatePlanes: false};
        const slice = sliceOf(before, frameNumberBits, behind, first);
        assert.equal(frameNumberOf(slice, parameters), before);
        const changed = withFrameNumber(slice, parameters, after);
        assert.equal(hex(changed), hex(sliceOf(after, frameNumberBits, behind, first)));
        assert.doesNotMatch(hex(changed), /^(..)*0000(00|01|02)/);
    }
});

test("a number that is written as a start code is escaped", () => {
    const parameters = {frameNumberBits: 16, hasSeparatePlanes: false}, slice = sliceOf(0x1234, 16, [0x80]);
    const changed = withFrameNumber(slice, parameters, 0);
    assert.equal(changed.length, slice.length + Number(/000003/.test(hex(changed))));
    assert.equal(frameNumberOf(changed, parameters), 0);
    for (const short of ["41", "4100", "410000"]) {
        assert.equal(frameNumberOf(bytes(short), parameters), null);
        assert.equal(withFrameNumber(bytes(short), parameters, 1), null);
    }
});

const UUID = Buffer.from("Heliograph repai").toString("hex");
// First an SEI message of another type with 256 bytes, then one of ours without a mark, the mark, and the end.
const OTHER = `ff0aff01${"55".repeat(256)}0512${"83".repeat(18)}`;

test("the mark of a repair picture is found among an SEI NAL unit's messages", () => {
    const marked = (text) => repairMarkOf(Uint8Array.from([6, ...escaped(bytes(text))]));
    assert.equal(hex(Buffer.from(UUID, "hex")), "48656c696f6772617068207265706169");
    assert.equal(marked(`0512${UUID}000c80`), 12);
    assert.equal(marked(`0512${UUID}fffe80`), 65534);
    assert.equal(marked(`0512${UUID}000080`), 0, "with emulation prevention");
    assert.equal(marked(`${OTHER}0512${UUID}010280`), 258);
    assert.equal(marked(`0514${UUID}0102000080`), 258, "a longer one of later hosts");
    for (const text of ["", "80", "0512", `0512${UUID}00`, `0511${UUID}0080`, `0412${UUID}000c80`, `${OTHER}80`, "ff", "05ff",
        `0512${UUID.replace("48", "49")}000c80`]) assert.equal(marked(text), null, text);
    assert.equal(repairMarkOf(bytes("06")), null);
});

test("an access unit says what it is before its first slice ends", () => {
    const sps = bytes(SETS[0].nal), parameters = parametersOf(sps), {frameNumberBits} = parameters;
    const mark = Uint8Array.from([6, ...escaped(bytes(`0512${UUID}000780`))]);
    const idr = Uint8Array.from([0x65, ...sliceOf(0, frameNumberBits, [0x80]).subarray(1)]);
    assert.deepEqual(pictureHead(joined([sps, bytes("68ce3c80"), idr]), null),
        {isKey: true, isReference: true, number: 0, back: null, parameters});
    const slice = sliceOf(9, frameNumberBits, [1, 2, 3]);
    assert.deepEqual(pictureHead(joined([mark, slice]), parameters),
        {isKey: false, isReference: true, number: 9, back: 7, parameters});
    assert.equal(pictureHead(joined([slice, mark]), parameters).back, null);
    const unreferred = slice.slice();
    unreferred[0] = 1;
    assert.equal(pictureHead(joined([unreferred]), parameters).isReference, false);
    assert.equal(pictureHead(joined([slice]), null).number, null);
    for (const text of ["", "00000001", "0000000141", "000000010600"]) {
        assert.deepEqual(pictureHead(bytes(text), parameters).number, null, text);
    }
});

test("all slices of an access unit get another frame_num, and nothing else of it changes", () => {
    const parameters = {frameNumberBits: 12, hasSeparatePlanes: false};
    const unit = (number) => joined([
        bytes("0905"), sliceOf(number, 12, [0, 0, 3, 1]), sliceOf(number, 12, [255, 7], 1000), bytes("0680"),
    ]);
    for (const [before, shift, after] of [[9, 3, 6], [2, 5, 4093], [4095, 4095, 0], [0, 0, 0], [7, 4096, 7]]) {
        assert.equal(hex(renumbered(unit(before), parameters, shift)), hex(unit(after)), `${before} - ${shift}`);
    }
    const idr = joined([Uint8Array.from([0x65, ...sliceOf(0, 12, [0x80]).subarray(1)]), bytes("41")]);
    assert.equal(hex(renumbered(idr, parameters, 5)), hex(idr));
});

test("4:4:4 by planes names the plane before frame_num", () => {
    const writer = new BitWriter();
    for (const value of [0, 7, 0]) writer.unsigned(value);
    writer.bits(2, 2);
    writer.bits(9, 4);
    const slice = Uint8Array.from([0x41, ...writer.end(), 0x80]);
    assert.equal(frameNumberOf(slice, {frameNumberBits: 4, hasSeparatePlanes: true}), 9);
});

test("echoes are two IDR pictures in turn, of one macroblock, in no order but their own", () => {
    const echo = new Echo(), units = [1, 2, 3].map(() => new Uint8Array(echo.next()));
    assert.notEqual(hex(units[0]), hex(units[1]));
    assert.equal(hex(units[0]), hex(units[2]));
    assert.notEqual(units[0].buffer, units[2].buffer);
    for (const unit of units) {
        assert.ok(unit.length <= 40, "hardly anything to copy");
        assert.deepEqual(unitsOf(unit).map(typeOf), [NAL.sps, 8, NAL.idr]);
        const parameters = parametersOf(unitsOf(unit)[0]);
        assert.deepEqual(parameters.coded, {width: ECHO_SIZE, height: ECHO_SIZE});
        assert.deepEqual(parameters.visible, parameters.coded);
        assert.ok(parameters.hasReorderZero && parameters.codec === "avc1.42C00A");
    }
    // Decoded by FFmpeg 5.1.9 with all errors fatal: 16x16 pixels with luma and chroma of 128.
    assert.equal(hex(units[0]), "000000016742c00ada7a01b41108d40000000168ce38800000000165888493c0");
    assert.equal(hex(units[1]), "000000016742c00ada7a01b41108d40000000168ce38800000000165888224f0");
});
