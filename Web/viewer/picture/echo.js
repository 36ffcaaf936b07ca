// Access units that stand in for pictures decoded by this page. They are passed to the browser's own decoder instead, so that
// its reordering, its loss repair and its statistics continue to work at almost no cost.

import {BitWriter, escaped, joined} from "./h264.js";

/** The width and height in pixels: one macroblock. */
export const ECHO_SIZE = 16;

/** @param {number} header the NAL unit's header @param {(writer: BitWriter) => void} write writes its payload */
function unit(header, write) {
    const writer = new BitWriter();
    write(writer);
    return Uint8Array.from([header, ...escaped(writer.end())]);
}

/** A sequence parameter set (ITU-T H.264 section 7.3.2.1.1). */
const SPS = unit(0x67, (writer) => {
    // profile_idc 66, constraint_set0_flag and constraint_set1_flag: Constrained Baseline; level_idc 10: level 1.
    for (const byte of [66, 0xc0, 10]) writer.bits(byte, 8);
    // seq_parameter_set_id 0, log2_max_frame_num_minus4 0.
    for (const value of [0, 0]) writer.unsigned(value);
    // pic_order_cnt_type 2: output order equals decoding order; max_num_ref_frames 1.
    for (const value of [2, 1]) writer.unsigned(value);
    // gaps_in_frame_num_value_allowed_flag 0.
    writer.bits(0, 1);
    // pic_width_in_mbs_minus1 0, pic_height_in_map_units_minus1 0.
    for (const value of [0, 0]) writer.unsigned(value);
    // frame_mbs_only_flag 1, direct_8x8_inference_flag 1, frame_cropping_flag 0, vui_parameters_present_flag 1.
    writer.bits(0b1101, 4);
    // No VUI fields before bitstream_restriction_flag 1; motion_vectors_over_pic_boundaries_flag 1.
    writer.bits(0b0000_0000_11, 10);
    // max_bytes_per_pic_denom 2, max_bits_per_mb_denom 1, log2_max_mv_length 16 both ways, max_num_reorder_frames 0,
    // max_dec_frame_buffering 1.
    for (const value of [2, 1, 16, 16, 0, 1]) writer.unsigned(value);
});

/** A picture parameter set (section 7.3.2.2). */
const PPS = unit(0x68, (writer) => {
    // pic_parameter_set_id 0, seq_parameter_set_id 0.
    for (const value of [0, 0]) writer.unsigned(value);
    // entropy_coding_mode_flag 0: CAVLC; bottom_field_pic_order_in_frame_present_flag 0.
    writer.bits(0, 2);
    // num_slice_groups_minus1 0, num_ref_idx_l0_default_active_minus1 0, num_ref_idx_l1_default_active_minus1 0.
    for (const value of [0, 0, 0]) writer.unsigned(value);
    // weighted_pred_flag 0, weighted_bipred_idc 0.
    writer.bits(0, 3);
    // pic_init_qp_minus26 0, pic_init_qs_minus26 0, chroma_qp_index_offset 0: se(0) is ue(0).
    for (const value of [0, 0, 0]) writer.unsigned(value);
    // deblocking_filter_control_present_flag 0, constrained_intra_pred_flag 0, redundant_pic_cnt_present_flag 0.
    writer.bits(0, 3);
});

/**
 * A slice with one macroblock of an IDR picture (sections 7.3.3, 7.3.5). It is grey, because there are no neighbours to predict
 * it from.
 * @param {number} id idr_pic_id, which has to differ between consecutive IDR pictures
 */
function slice(id) {
    return unit(0x65, (writer) => {
        // first_mb_in_slice 0, slice_type 7 (all slices are I slices), pic_parameter_set_id 0.
        for (const value of [0, 7, 0]) writer.unsigned(value);
        // frame_num 0, in 4 bits.
        writer.bits(0, 4);
        writer.unsigned(id);
        // no_output_of_prior_pics_flag 0, long_term_reference_flag 0.
        writer.bits(0, 2);
        // slice_qp_delta 0.
        writer.unsigned(0);
        // mb_type 3: I_16x16_2_0_0, DC prediction without chroma and AC coefficients.
        writer.unsigned(3);
        // intra_chroma_pred_mode 0: DC; mb_qp_delta 0.
        for (const value of [0, 0]) writer.unsigned(value);
        // coeff_token of Intra16x16DCLevel: no coefficients, which is coded as 1 if no neighbour has any.
        writer.bits(1, 1);
    });
}

/** Provides the access units alternately. */
export class Echo {
    #units = [0, 1].map((id) => joined([SPS, PPS, slice(id)]));
    #count = 0;

    /** @returns {ArrayBuffer} a new copy of an access unit */
    next() { return /** @type {ArrayBuffer} */ (this.#units[this.#count++ % 2].slice().buffer); }
}
