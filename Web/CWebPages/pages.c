// The files of Web/viewer, compiled in: a program that was copied to another place has them too. SwiftPM compiles this
// again when one of them changes. (What SwiftPM embeds by itself becomes an array in Swift, which takes half a minute
// of compiling for 100 KB; by #embed of C23 it takes none.)
//
// Written by script/embed-pages.

#include "CWebPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_admission_js[] = {
#embed "../viewer/admission.js"
};

static const uint8_t file_amounts_js[] = {
#embed "../viewer/amounts.js"
};

static const uint8_t file_awake_js[] = {
#embed "../viewer/awake.js"
};

static const uint8_t file_backoff_js[] = {
#embed "../viewer/backoff.js"
};

static const uint8_t file_bar_js[] = {
#embed "../viewer/bar.js"
};

static const uint8_t file_base32_js[] = {
#embed "../viewer/base32.js"
};

static const uint8_t file_bytes_js[] = {
#embed "../viewer/bytes.js"
};

static const uint8_t file_card_js[] = {
#embed "../viewer/card.js"
};

static const uint8_t file_chart_js[] = {
#embed "../viewer/chart.js"
};

static const uint8_t file_client_js[] = {
#embed "../viewer/client.js"
};

static const uint8_t file_clipboardcontent_js[] = {
#embed "../viewer/clipboardcontent.js"
};

static const uint8_t file_clipboardexchange_js[] = {
#embed "../viewer/clipboardexchange.js"
};

static const uint8_t file_clipboardlink_js[] = {
#embed "../viewer/clipboardlink.js"
};

static const uint8_t file_copying_js[] = {
#embed "../viewer/copying.js"
};

static const uint8_t file_cursor_js[] = {
#embed "../viewer/cursor.js"
};

static const uint8_t file_departure_js[] = {
#embed "../viewer/departure.js"
};

static const uint8_t file_device_js[] = {
#embed "../viewer/device.js"
};

static const uint8_t file_directtouch_js[] = {
#embed "../viewer/directtouch.js"
};

static const uint8_t file_diskplace_js[] = {
#embed "../viewer/diskplace.js"
};

static const uint8_t file_downloadplace_js[] = {
#embed "../viewer/downloadplace.js"
};

static const uint8_t file_english_js[] = {
#embed "../viewer/english.js"
};

static const uint8_t file_filecounts_js[] = {
#embed "../viewer/filecounts.js"
};

static const uint8_t file_filedisk_js[] = {
#embed "../viewer/filedisk.js"
};

static const uint8_t file_fileexchange_js[] = {
#embed "../viewer/fileexchange.js"
};

static const uint8_t file_filelink_js[] = {
#embed "../viewer/filelink.js"
};

static const uint8_t file_filelisting_js[] = {
#embed "../viewer/filelisting.js"
};

static const uint8_t file_filemessage_js[] = {
#embed "../viewer/filemessage.js"
};

static const uint8_t file_filepanel_js[] = {
#embed "../viewer/filepanel.js"
};

static const uint8_t file_fileplaces_js[] = {
#embed "../viewer/fileplaces.js"
};

static const uint8_t file_filereceiver_js[] = {
#embed "../viewer/filereceiver.js"
};

static const uint8_t file_filesender_js[] = {
#embed "../viewer/filesender.js"
};

static const uint8_t file_geometry_js[] = {
#embed "../viewer/geometry.js"
};

static const uint8_t file_german_js[] = {
#embed "../viewer/german.js"
};

static const uint8_t file_gestures_js[] = {
#embed "../viewer/gestures.js"
};

static const uint8_t file_hint_js[] = {
#embed "../viewer/hint.js"
};

static const uint8_t file_icon_svg[] = {
#embed "../viewer/icon.svg"
};

static const uint8_t file_index_html[] = {
#embed "../viewer/index.html"
};

static const uint8_t file_input_js[] = {
#embed "../viewer/input.js"
};

static const uint8_t file_install_js[] = {
#embed "../viewer/install.js"
};

static const uint8_t file_keep_js[] = {
#embed "../viewer/keep.js"
};

static const uint8_t file_keyboard_js[] = {
#embed "../viewer/keyboard.js"
};

static const uint8_t file_keylabels_js[] = {
#embed "../viewer/keylabels.js"
};

static const uint8_t file_keys_js[] = {
#embed "../viewer/keys.js"
};

static const uint8_t file_keytable_js[] = {
#embed "../viewer/keytable.js"
};

static const uint8_t file_language_js[] = {
#embed "../viewer/language.js"
};

static const uint8_t file_lastmove_js[] = {
#embed "../viewer/lastmove.js"
};

static const uint8_t file_livesound_js[] = {
#embed "../viewer/livesound.js"
};

static const uint8_t file_main_js[] = {
#embed "../viewer/main.js"
};

static const uint8_t file_manifest_webmanifest[] = {
#embed "../viewer/manifest.webmanifest"
};

static const uint8_t file_memoryfiles_js[] = {
#embed "../viewer/memoryfiles.js"
};

static const uint8_t file_monitors_js[] = {
#embed "../viewer/monitors.js"
};

static const uint8_t file_note_js[] = {
#embed "../viewer/note.js"
};

static const uint8_t file_numbered_js[] = {
#embed "../viewer/numbered.js"
};

static const uint8_t file_originfiles_js[] = {
#embed "../viewer/originfiles.js"
};

static const uint8_t file_originwriter_js[] = {
#embed "../viewer/originwriter.js"
};

static const uint8_t file_outgoingfile_js[] = {
#embed "../viewer/outgoingfile.js"
};

static const uint8_t file_packetorder_js[] = {
#embed "../viewer/packetorder.js"
};

static const uint8_t file_pasting_js[] = {
#embed "../viewer/pasting.js"
};

static const uint8_t file_people_js[] = {
#embed "../viewer/people.js"
};

static const uint8_t file_playing_js[] = {
#embed "../viewer/playing.js"
};

static const uint8_t file_playout_js[] = {
#embed "../viewer/playout.js"
};

static const uint8_t file_pointer_js[] = {
#embed "../viewer/pointer.js"
};

static const uint8_t file_proof_js[] = {
#embed "../viewer/proof.js"
};

static const uint8_t file_quality_js[] = {
#embed "../viewer/quality.js"
};

static const uint8_t file_rates_js[] = {
#embed "../viewer/rates.js"
};

static const uint8_t file_running_js[] = {
#embed "../viewer/running.js"
};

static const uint8_t file_safename_js[] = {
#embed "../viewer/safename.js"
};

static const uint8_t file_sdp_js[] = {
#embed "../viewer/sdp.js"
};

static const uint8_t file_secure_js[] = {
#embed "../viewer/secure.js"
};

static const uint8_t file_session_js[] = {
#embed "../viewer/session.js"
};

static const uint8_t file_sha256_js[] = {
#embed "../viewer/sha256.js"
};

static const uint8_t file_sharedclipboard_js[] = {
#embed "../viewer/sharedclipboard.js"
};

static const uint8_t file_sharedfiles_js[] = {
#embed "../viewer/sharedfiles.js"
};

static const uint8_t file_sound_js[] = {
#embed "../viewer/sound.js"
};

static const uint8_t file_sounddecoder_js[] = {
#embed "../viewer/sounddecoder.js"
};

static const uint8_t file_soundoffer_js[] = {
#embed "../viewer/soundoffer.js"
};

static const uint8_t file_soundworklet_js[] = {
#embed "../viewer/soundworklet.js"
};

static const uint8_t file_statistics_js[] = {
#embed "../viewer/statistics.js"
};

static const uint8_t file_style_css[] = {
#embed "../viewer/style.css"
};

static const uint8_t file_text_js[] = {
#embed "../viewer/text.js"
};

static const uint8_t file_touch_js[] = {
#embed "../viewer/touch.js"
};

static const uint8_t file_transferlink_js[] = {
#embed "../viewer/transferlink.js"
};

static const uint8_t file_transfermessage_js[] = {
#embed "../viewer/transfermessage.js"
};

static const uint8_t file_typing_js[] = {
#embed "../viewer/typing.js"
};

static const uint8_t file_unseen_js[] = {
#embed "../viewer/unseen.js"
};

static const uint8_t file_view_js[] = {
#embed "../viewer/view.js"
};

static const uint8_t file_viewport_js[] = {
#embed "../viewer/viewport.js"
};

static const uint8_t file_wheel_js[] = {
#embed "../viewer/wheel.js"
};

static const uint8_t file_words_js[] = {
#embed "../viewer/words.js"
};

static const uint8_t file_zip_js[] = {
#embed "../viewer/zip.js"
};

static const struct CWebPage pages[] = {
    {"admission.js", file_admission_js, sizeof file_admission_js},
    {"amounts.js", file_amounts_js, sizeof file_amounts_js},
    {"awake.js", file_awake_js, sizeof file_awake_js},
    {"backoff.js", file_backoff_js, sizeof file_backoff_js},
    {"bar.js", file_bar_js, sizeof file_bar_js},
    {"base32.js", file_base32_js, sizeof file_base32_js},
    {"bytes.js", file_bytes_js, sizeof file_bytes_js},
    {"card.js", file_card_js, sizeof file_card_js},
    {"chart.js", file_chart_js, sizeof file_chart_js},
    {"client.js", file_client_js, sizeof file_client_js},
    {"clipboardcontent.js", file_clipboardcontent_js, sizeof file_clipboardcontent_js},
    {"clipboardexchange.js", file_clipboardexchange_js, sizeof file_clipboardexchange_js},
    {"clipboardlink.js", file_clipboardlink_js, sizeof file_clipboardlink_js},
    {"copying.js", file_copying_js, sizeof file_copying_js},
    {"cursor.js", file_cursor_js, sizeof file_cursor_js},
    {"departure.js", file_departure_js, sizeof file_departure_js},
    {"device.js", file_device_js, sizeof file_device_js},
    {"directtouch.js", file_directtouch_js, sizeof file_directtouch_js},
    {"diskplace.js", file_diskplace_js, sizeof file_diskplace_js},
    {"downloadplace.js", file_downloadplace_js, sizeof file_downloadplace_js},
    {"english.js", file_english_js, sizeof file_english_js},
    {"filecounts.js", file_filecounts_js, sizeof file_filecounts_js},
    {"filedisk.js", file_filedisk_js, sizeof file_filedisk_js},
    {"fileexchange.js", file_fileexchange_js, sizeof file_fileexchange_js},
    {"filelink.js", file_filelink_js, sizeof file_filelink_js},
    {"filelisting.js", file_filelisting_js, sizeof file_filelisting_js},
    {"filemessage.js", file_filemessage_js, sizeof file_filemessage_js},
    {"filepanel.js", file_filepanel_js, sizeof file_filepanel_js},
    {"fileplaces.js", file_fileplaces_js, sizeof file_fileplaces_js},
    {"filereceiver.js", file_filereceiver_js, sizeof file_filereceiver_js},
    {"filesender.js", file_filesender_js, sizeof file_filesender_js},
    {"geometry.js", file_geometry_js, sizeof file_geometry_js},
    {"german.js", file_german_js, sizeof file_german_js},
    {"gestures.js", file_gestures_js, sizeof file_gestures_js},
    {"hint.js", file_hint_js, sizeof file_hint_js},
    {"icon.svg", file_icon_svg, sizeof file_icon_svg},
    {"index.html", file_index_html, sizeof file_index_html},
    {"input.js", file_input_js, sizeof file_input_js},
    {"install.js", file_install_js, sizeof file_install_js},
    {"keep.js", file_keep_js, sizeof file_keep_js},
    {"keyboard.js", file_keyboard_js, sizeof file_keyboard_js},
    {"keylabels.js", file_keylabels_js, sizeof file_keylabels_js},
    {"keys.js", file_keys_js, sizeof file_keys_js},
    {"keytable.js", file_keytable_js, sizeof file_keytable_js},
    {"language.js", file_language_js, sizeof file_language_js},
    {"lastmove.js", file_lastmove_js, sizeof file_lastmove_js},
    {"livesound.js", file_livesound_js, sizeof file_livesound_js},
    {"main.js", file_main_js, sizeof file_main_js},
    {"manifest.webmanifest", file_manifest_webmanifest, sizeof file_manifest_webmanifest},
    {"memoryfiles.js", file_memoryfiles_js, sizeof file_memoryfiles_js},
    {"monitors.js", file_monitors_js, sizeof file_monitors_js},
    {"note.js", file_note_js, sizeof file_note_js},
    {"numbered.js", file_numbered_js, sizeof file_numbered_js},
    {"originfiles.js", file_originfiles_js, sizeof file_originfiles_js},
    {"originwriter.js", file_originwriter_js, sizeof file_originwriter_js},
    {"outgoingfile.js", file_outgoingfile_js, sizeof file_outgoingfile_js},
    {"packetorder.js", file_packetorder_js, sizeof file_packetorder_js},
    {"pasting.js", file_pasting_js, sizeof file_pasting_js},
    {"people.js", file_people_js, sizeof file_people_js},
    {"playing.js", file_playing_js, sizeof file_playing_js},
    {"playout.js", file_playout_js, sizeof file_playout_js},
    {"pointer.js", file_pointer_js, sizeof file_pointer_js},
    {"proof.js", file_proof_js, sizeof file_proof_js},
    {"quality.js", file_quality_js, sizeof file_quality_js},
    {"rates.js", file_rates_js, sizeof file_rates_js},
    {"running.js", file_running_js, sizeof file_running_js},
    {"safename.js", file_safename_js, sizeof file_safename_js},
    {"sdp.js", file_sdp_js, sizeof file_sdp_js},
    {"secure.js", file_secure_js, sizeof file_secure_js},
    {"session.js", file_session_js, sizeof file_session_js},
    {"sha256.js", file_sha256_js, sizeof file_sha256_js},
    {"sharedclipboard.js", file_sharedclipboard_js, sizeof file_sharedclipboard_js},
    {"sharedfiles.js", file_sharedfiles_js, sizeof file_sharedfiles_js},
    {"sound.js", file_sound_js, sizeof file_sound_js},
    {"sounddecoder.js", file_sounddecoder_js, sizeof file_sounddecoder_js},
    {"soundoffer.js", file_soundoffer_js, sizeof file_soundoffer_js},
    {"soundworklet.js", file_soundworklet_js, sizeof file_soundworklet_js},
    {"statistics.js", file_statistics_js, sizeof file_statistics_js},
    {"style.css", file_style_css, sizeof file_style_css},
    {"text.js", file_text_js, sizeof file_text_js},
    {"touch.js", file_touch_js, sizeof file_touch_js},
    {"transferlink.js", file_transferlink_js, sizeof file_transferlink_js},
    {"transfermessage.js", file_transfermessage_js, sizeof file_transfermessage_js},
    {"typing.js", file_typing_js, sizeof file_typing_js},
    {"unseen.js", file_unseen_js, sizeof file_unseen_js},
    {"view.js", file_view_js, sizeof file_view_js},
    {"viewport.js", file_viewport_js, sizeof file_viewport_js},
    {"wheel.js", file_wheel_js, sizeof file_wheel_js},
    {"words.js", file_words_js, sizeof file_words_js},
    {"zip.js", file_zip_js, sizeof file_zip_js},
};

size_t cwebpages_count(void) { return sizeof pages / sizeof *pages; }

struct CWebPage cwebpages_at(size_t index) { return pages[index]; }
