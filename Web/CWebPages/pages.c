// The files of Web/viewer, compiled in: a program that was copied to another place has them too. SwiftPM compiles this
// again when one of them changes. (What SwiftPM embeds by itself becomes an array in Swift, which takes half a minute
// of compiling for 100 KB; by #embed of C23 it takes none.)
//
// Written by script/embed-pages.

#include "CWebPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_bytes_base32_js[] = {
#embed "../viewer/bytes/base32.js"
};

static const uint8_t file_bytes_bytes_js[] = {
#embed "../viewer/bytes/bytes.js"
};

static const uint8_t file_bytes_sha256_js[] = {
#embed "../viewer/bytes/sha256.js"
};

static const uint8_t file_clipboard_clipboardcontent_js[] = {
#embed "../viewer/clipboard/clipboardcontent.js"
};

static const uint8_t file_clipboard_clipboardexchange_js[] = {
#embed "../viewer/clipboard/clipboardexchange.js"
};

static const uint8_t file_clipboard_clipboardlink_js[] = {
#embed "../viewer/clipboard/clipboardlink.js"
};

static const uint8_t file_clipboard_copying_js[] = {
#embed "../viewer/clipboard/copying.js"
};

static const uint8_t file_clipboard_pasting_js[] = {
#embed "../viewer/clipboard/pasting.js"
};

static const uint8_t file_clipboard_sharedclipboard_js[] = {
#embed "../viewer/clipboard/sharedclipboard.js"
};

static const uint8_t file_clipboard_transfermessage_js[] = {
#embed "../viewer/clipboard/transfermessage.js"
};

static const uint8_t file_files_diskplace_js[] = {
#embed "../viewer/files/diskplace.js"
};

static const uint8_t file_files_downloadplace_js[] = {
#embed "../viewer/files/downloadplace.js"
};

static const uint8_t file_files_filecounts_js[] = {
#embed "../viewer/files/filecounts.js"
};

static const uint8_t file_files_filedisk_js[] = {
#embed "../viewer/files/filedisk.js"
};

static const uint8_t file_files_fileexchange_js[] = {
#embed "../viewer/files/fileexchange.js"
};

static const uint8_t file_files_filelink_js[] = {
#embed "../viewer/files/filelink.js"
};

static const uint8_t file_files_filelisting_js[] = {
#embed "../viewer/files/filelisting.js"
};

static const uint8_t file_files_filemessage_js[] = {
#embed "../viewer/files/filemessage.js"
};

static const uint8_t file_files_filepanel_js[] = {
#embed "../viewer/files/filepanel.js"
};

static const uint8_t file_files_fileplaces_js[] = {
#embed "../viewer/files/fileplaces.js"
};

static const uint8_t file_files_filereceiver_js[] = {
#embed "../viewer/files/filereceiver.js"
};

static const uint8_t file_files_filesender_js[] = {
#embed "../viewer/files/filesender.js"
};

static const uint8_t file_files_memoryfiles_js[] = {
#embed "../viewer/files/memoryfiles.js"
};

static const uint8_t file_files_originfiles_js[] = {
#embed "../viewer/files/originfiles.js"
};

static const uint8_t file_files_originwriter_js[] = {
#embed "../viewer/files/originwriter.js"
};

static const uint8_t file_files_outgoingfile_js[] = {
#embed "../viewer/files/outgoingfile.js"
};

static const uint8_t file_files_safename_js[] = {
#embed "../viewer/files/safename.js"
};

static const uint8_t file_files_sharedfiles_js[] = {
#embed "../viewer/files/sharedfiles.js"
};

static const uint8_t file_files_transferlink_js[] = {
#embed "../viewer/files/transferlink.js"
};

static const uint8_t file_files_zip_js[] = {
#embed "../viewer/files/zip.js"
};

static const uint8_t file_icon_svg[] = {
#embed "../viewer/icon.svg"
};

static const uint8_t file_index_html[] = {
#embed "../viewer/index.html"
};

static const uint8_t file_input_directtouch_js[] = {
#embed "../viewer/input/directtouch.js"
};

static const uint8_t file_input_gestures_js[] = {
#embed "../viewer/input/gestures.js"
};

static const uint8_t file_input_input_js[] = {
#embed "../viewer/input/input.js"
};

static const uint8_t file_input_keyboard_js[] = {
#embed "../viewer/input/keyboard.js"
};

static const uint8_t file_input_keytable_js[] = {
#embed "../viewer/input/keytable.js"
};

static const uint8_t file_input_lastmove_js[] = {
#embed "../viewer/input/lastmove.js"
};

static const uint8_t file_input_numbered_js[] = {
#embed "../viewer/input/numbered.js"
};

static const uint8_t file_input_pointer_js[] = {
#embed "../viewer/input/pointer.js"
};

static const uint8_t file_input_running_js[] = {
#embed "../viewer/input/running.js"
};

static const uint8_t file_input_text_js[] = {
#embed "../viewer/input/text.js"
};

static const uint8_t file_input_touch_js[] = {
#embed "../viewer/input/touch.js"
};

static const uint8_t file_input_typing_js[] = {
#embed "../viewer/input/typing.js"
};

static const uint8_t file_input_wheel_js[] = {
#embed "../viewer/input/wheel.js"
};

static const uint8_t file_language_amounts_js[] = {
#embed "../viewer/language/amounts.js"
};

static const uint8_t file_language_english_js[] = {
#embed "../viewer/language/english.js"
};

static const uint8_t file_language_german_js[] = {
#embed "../viewer/language/german.js"
};

static const uint8_t file_language_language_js[] = {
#embed "../viewer/language/language.js"
};

static const uint8_t file_main_js[] = {
#embed "../viewer/main.js"
};

static const uint8_t file_manifest_webmanifest[] = {
#embed "../viewer/manifest.webmanifest"
};

static const uint8_t file_page_connecting_js[] = {
#embed "../viewer/page/connecting.js"
};

static const uint8_t file_page_controls_js[] = {
#embed "../viewer/page/controls.js"
};

static const uint8_t file_page_driving_js[] = {
#embed "../viewer/page/driving.js"
};

static const uint8_t file_page_hearing_js[] = {
#embed "../viewer/page/hearing.js"
};

static const uint8_t file_page_leaving_js[] = {
#embed "../viewer/page/leaving.js"
};

static const uint8_t file_page_meeting_js[] = {
#embed "../viewer/page/meeting.js"
};

static const uint8_t file_page_settings_js[] = {
#embed "../viewer/page/settings.js"
};

static const uint8_t file_page_transferring_js[] = {
#embed "../viewer/page/transferring.js"
};

static const uint8_t file_page_watching_js[] = {
#embed "../viewer/page/watching.js"
};

static const uint8_t file_picture_awake_js[] = {
#embed "../viewer/picture/awake.js"
};

static const uint8_t file_picture_cursor_js[] = {
#embed "../viewer/picture/cursor.js"
};

static const uint8_t file_picture_decoding_js[] = {
#embed "../viewer/picture/decoding.js"
};

static const uint8_t file_picture_drawing_js[] = {
#embed "../viewer/picture/drawing.js"
};

static const uint8_t file_picture_echo_js[] = {
#embed "../viewer/picture/echo.js"
};

static const uint8_t file_picture_frameorder_js[] = {
#embed "../viewer/picture/frameorder.js"
};

static const uint8_t file_picture_geometry_js[] = {
#embed "../viewer/picture/geometry.js"
};

static const uint8_t file_picture_h264_js[] = {
#embed "../viewer/picture/h264.js"
};

static const uint8_t file_picture_ownpicture_js[] = {
#embed "../viewer/picture/ownpicture.js"
};

static const uint8_t file_picture_picturechoice_js[] = {
#embed "../viewer/picture/picturechoice.js"
};

static const uint8_t file_picture_picturetally_js[] = {
#embed "../viewer/picture/picturetally.js"
};

static const uint8_t file_picture_pictureworker_js[] = {
#embed "../viewer/picture/pictureworker.js"
};

static const uint8_t file_picture_playing_js[] = {
#embed "../viewer/picture/playing.js"
};

static const uint8_t file_picture_quality_js[] = {
#embed "../viewer/picture/quality.js"
};

static const uint8_t file_picture_soundstep_js[] = {
#embed "../viewer/picture/soundstep.js"
};

static const uint8_t file_picture_surface_js[] = {
#embed "../viewer/picture/surface.js"
};

static const uint8_t file_picture_testpicture_js[] = {
#embed "../viewer/picture/testpicture.js"
};

static const uint8_t file_picture_unseen_js[] = {
#embed "../viewer/picture/unseen.js"
};

static const uint8_t file_picture_view_js[] = {
#embed "../viewer/picture/view.js"
};

static const uint8_t file_picture_viewport_js[] = {
#embed "../viewer/picture/viewport.js"
};

static const uint8_t file_session_admission_js[] = {
#embed "../viewer/session/admission.js"
};

static const uint8_t file_session_backoff_js[] = {
#embed "../viewer/session/backoff.js"
};

static const uint8_t file_session_callsealer_js[] = {
#embed "../viewer/session/callsealer.js"
};

static const uint8_t file_session_client_js[] = {
#embed "../viewer/session/client.js"
};

static const uint8_t file_session_departure_js[] = {
#embed "../viewer/session/departure.js"
};

static const uint8_t file_session_device_js[] = {
#embed "../viewer/session/device.js"
};

static const uint8_t file_session_keep_js[] = {
#embed "../viewer/session/keep.js"
};

static const uint8_t file_session_proof_js[] = {
#embed "../viewer/session/proof.js"
};

static const uint8_t file_session_remotesignalling_js[] = {
#embed "../viewer/session/remotesignalling.js"
};

static const uint8_t file_session_rendezvousframe_js[] = {
#embed "../viewer/session/rendezvousframe.js"
};

static const uint8_t file_session_sdp_js[] = {
#embed "../viewer/session/sdp.js"
};

static const uint8_t file_session_secure_js[] = {
#embed "../viewer/session/secure.js"
};

static const uint8_t file_session_session_js[] = {
#embed "../viewer/session/session.js"
};

static const uint8_t file_session_sharelink_js[] = {
#embed "../viewer/session/sharelink.js"
};

static const uint8_t file_session_signalling_js[] = {
#embed "../viewer/session/signalling.js"
};

static const uint8_t file_session_soundoffer_js[] = {
#embed "../viewer/session/soundoffer.js"
};

static const uint8_t file_sound_livesound_js[] = {
#embed "../viewer/sound/livesound.js"
};

static const uint8_t file_sound_packetorder_js[] = {
#embed "../viewer/sound/packetorder.js"
};

static const uint8_t file_sound_playout_js[] = {
#embed "../viewer/sound/playout.js"
};

static const uint8_t file_sound_sound_js[] = {
#embed "../viewer/sound/sound.js"
};

static const uint8_t file_sound_sounddecoder_js[] = {
#embed "../viewer/sound/sounddecoder.js"
};

static const uint8_t file_sound_soundtimes_js[] = {
#embed "../viewer/sound/soundtimes.js"
};

static const uint8_t file_sound_soundworklet_js[] = {
#embed "../viewer/sound/soundworklet.js"
};

static const uint8_t file_style_css[] = {
#embed "../viewer/style.css"
};

static const uint8_t file_ui_bar_js[] = {
#embed "../viewer/ui/bar.js"
};

static const uint8_t file_ui_card_js[] = {
#embed "../viewer/ui/card.js"
};

static const uint8_t file_ui_chart_js[] = {
#embed "../viewer/ui/chart.js"
};

static const uint8_t file_ui_elements_js[] = {
#embed "../viewer/ui/elements.js"
};

static const uint8_t file_ui_hint_js[] = {
#embed "../viewer/ui/hint.js"
};

static const uint8_t file_ui_install_js[] = {
#embed "../viewer/ui/install.js"
};

static const uint8_t file_ui_keylabels_js[] = {
#embed "../viewer/ui/keylabels.js"
};

static const uint8_t file_ui_keys_js[] = {
#embed "../viewer/ui/keys.js"
};

static const uint8_t file_ui_monitors_js[] = {
#embed "../viewer/ui/monitors.js"
};

static const uint8_t file_ui_note_js[] = {
#embed "../viewer/ui/note.js"
};

static const uint8_t file_ui_people_js[] = {
#embed "../viewer/ui/people.js"
};

static const uint8_t file_ui_rates_js[] = {
#embed "../viewer/ui/rates.js"
};

static const uint8_t file_ui_statistics_js[] = {
#embed "../viewer/ui/statistics.js"
};

static const uint8_t file_ui_words_js[] = {
#embed "../viewer/ui/words.js"
};

static const struct CWebPage pages[] = {
    {"bytes/base32.js", file_bytes_base32_js, sizeof file_bytes_base32_js},
    {"bytes/bytes.js", file_bytes_bytes_js, sizeof file_bytes_bytes_js},
    {"bytes/sha256.js", file_bytes_sha256_js, sizeof file_bytes_sha256_js},
    {"clipboard/clipboardcontent.js", file_clipboard_clipboardcontent_js, sizeof file_clipboard_clipboardcontent_js},
    {"clipboard/clipboardexchange.js", file_clipboard_clipboardexchange_js, sizeof file_clipboard_clipboardexchange_js},
    {"clipboard/clipboardlink.js", file_clipboard_clipboardlink_js, sizeof file_clipboard_clipboardlink_js},
    {"clipboard/copying.js", file_clipboard_copying_js, sizeof file_clipboard_copying_js},
    {"clipboard/pasting.js", file_clipboard_pasting_js, sizeof file_clipboard_pasting_js},
    {"clipboard/sharedclipboard.js", file_clipboard_sharedclipboard_js, sizeof file_clipboard_sharedclipboard_js},
    {"clipboard/transfermessage.js", file_clipboard_transfermessage_js, sizeof file_clipboard_transfermessage_js},
    {"files/diskplace.js", file_files_diskplace_js, sizeof file_files_diskplace_js},
    {"files/downloadplace.js", file_files_downloadplace_js, sizeof file_files_downloadplace_js},
    {"files/filecounts.js", file_files_filecounts_js, sizeof file_files_filecounts_js},
    {"files/filedisk.js", file_files_filedisk_js, sizeof file_files_filedisk_js},
    {"files/fileexchange.js", file_files_fileexchange_js, sizeof file_files_fileexchange_js},
    {"files/filelink.js", file_files_filelink_js, sizeof file_files_filelink_js},
    {"files/filelisting.js", file_files_filelisting_js, sizeof file_files_filelisting_js},
    {"files/filemessage.js", file_files_filemessage_js, sizeof file_files_filemessage_js},
    {"files/filepanel.js", file_files_filepanel_js, sizeof file_files_filepanel_js},
    {"files/fileplaces.js", file_files_fileplaces_js, sizeof file_files_fileplaces_js},
    {"files/filereceiver.js", file_files_filereceiver_js, sizeof file_files_filereceiver_js},
    {"files/filesender.js", file_files_filesender_js, sizeof file_files_filesender_js},
    {"files/memoryfiles.js", file_files_memoryfiles_js, sizeof file_files_memoryfiles_js},
    {"files/originfiles.js", file_files_originfiles_js, sizeof file_files_originfiles_js},
    {"files/originwriter.js", file_files_originwriter_js, sizeof file_files_originwriter_js},
    {"files/outgoingfile.js", file_files_outgoingfile_js, sizeof file_files_outgoingfile_js},
    {"files/safename.js", file_files_safename_js, sizeof file_files_safename_js},
    {"files/sharedfiles.js", file_files_sharedfiles_js, sizeof file_files_sharedfiles_js},
    {"files/transferlink.js", file_files_transferlink_js, sizeof file_files_transferlink_js},
    {"files/zip.js", file_files_zip_js, sizeof file_files_zip_js},
    {"icon.svg", file_icon_svg, sizeof file_icon_svg},
    {"index.html", file_index_html, sizeof file_index_html},
    {"input/directtouch.js", file_input_directtouch_js, sizeof file_input_directtouch_js},
    {"input/gestures.js", file_input_gestures_js, sizeof file_input_gestures_js},
    {"input/input.js", file_input_input_js, sizeof file_input_input_js},
    {"input/keyboard.js", file_input_keyboard_js, sizeof file_input_keyboard_js},
    {"input/keytable.js", file_input_keytable_js, sizeof file_input_keytable_js},
    {"input/lastmove.js", file_input_lastmove_js, sizeof file_input_lastmove_js},
    {"input/numbered.js", file_input_numbered_js, sizeof file_input_numbered_js},
    {"input/pointer.js", file_input_pointer_js, sizeof file_input_pointer_js},
    {"input/running.js", file_input_running_js, sizeof file_input_running_js},
    {"input/text.js", file_input_text_js, sizeof file_input_text_js},
    {"input/touch.js", file_input_touch_js, sizeof file_input_touch_js},
    {"input/typing.js", file_input_typing_js, sizeof file_input_typing_js},
    {"input/wheel.js", file_input_wheel_js, sizeof file_input_wheel_js},
    {"language/amounts.js", file_language_amounts_js, sizeof file_language_amounts_js},
    {"language/english.js", file_language_english_js, sizeof file_language_english_js},
    {"language/german.js", file_language_german_js, sizeof file_language_german_js},
    {"language/language.js", file_language_language_js, sizeof file_language_language_js},
    {"main.js", file_main_js, sizeof file_main_js},
    {"manifest.webmanifest", file_manifest_webmanifest, sizeof file_manifest_webmanifest},
    {"page/connecting.js", file_page_connecting_js, sizeof file_page_connecting_js},
    {"page/controls.js", file_page_controls_js, sizeof file_page_controls_js},
    {"page/driving.js", file_page_driving_js, sizeof file_page_driving_js},
    {"page/hearing.js", file_page_hearing_js, sizeof file_page_hearing_js},
    {"page/leaving.js", file_page_leaving_js, sizeof file_page_leaving_js},
    {"page/meeting.js", file_page_meeting_js, sizeof file_page_meeting_js},
    {"page/settings.js", file_page_settings_js, sizeof file_page_settings_js},
    {"page/transferring.js", file_page_transferring_js, sizeof file_page_transferring_js},
    {"page/watching.js", file_page_watching_js, sizeof file_page_watching_js},
    {"picture/awake.js", file_picture_awake_js, sizeof file_picture_awake_js},
    {"picture/cursor.js", file_picture_cursor_js, sizeof file_picture_cursor_js},
    {"picture/decoding.js", file_picture_decoding_js, sizeof file_picture_decoding_js},
    {"picture/drawing.js", file_picture_drawing_js, sizeof file_picture_drawing_js},
    {"picture/echo.js", file_picture_echo_js, sizeof file_picture_echo_js},
    {"picture/frameorder.js", file_picture_frameorder_js, sizeof file_picture_frameorder_js},
    {"picture/geometry.js", file_picture_geometry_js, sizeof file_picture_geometry_js},
    {"picture/h264.js", file_picture_h264_js, sizeof file_picture_h264_js},
    {"picture/ownpicture.js", file_picture_ownpicture_js, sizeof file_picture_ownpicture_js},
    {"picture/picturechoice.js", file_picture_picturechoice_js, sizeof file_picture_picturechoice_js},
    {"picture/picturetally.js", file_picture_picturetally_js, sizeof file_picture_picturetally_js},
    {"picture/pictureworker.js", file_picture_pictureworker_js, sizeof file_picture_pictureworker_js},
    {"picture/playing.js", file_picture_playing_js, sizeof file_picture_playing_js},
    {"picture/quality.js", file_picture_quality_js, sizeof file_picture_quality_js},
    {"picture/soundstep.js", file_picture_soundstep_js, sizeof file_picture_soundstep_js},
    {"picture/surface.js", file_picture_surface_js, sizeof file_picture_surface_js},
    {"picture/testpicture.js", file_picture_testpicture_js, sizeof file_picture_testpicture_js},
    {"picture/unseen.js", file_picture_unseen_js, sizeof file_picture_unseen_js},
    {"picture/view.js", file_picture_view_js, sizeof file_picture_view_js},
    {"picture/viewport.js", file_picture_viewport_js, sizeof file_picture_viewport_js},
    {"session/admission.js", file_session_admission_js, sizeof file_session_admission_js},
    {"session/backoff.js", file_session_backoff_js, sizeof file_session_backoff_js},
    {"session/callsealer.js", file_session_callsealer_js, sizeof file_session_callsealer_js},
    {"session/client.js", file_session_client_js, sizeof file_session_client_js},
    {"session/departure.js", file_session_departure_js, sizeof file_session_departure_js},
    {"session/device.js", file_session_device_js, sizeof file_session_device_js},
    {"session/keep.js", file_session_keep_js, sizeof file_session_keep_js},
    {"session/proof.js", file_session_proof_js, sizeof file_session_proof_js},
    {"session/remotesignalling.js", file_session_remotesignalling_js, sizeof file_session_remotesignalling_js},
    {"session/rendezvousframe.js", file_session_rendezvousframe_js, sizeof file_session_rendezvousframe_js},
    {"session/sdp.js", file_session_sdp_js, sizeof file_session_sdp_js},
    {"session/secure.js", file_session_secure_js, sizeof file_session_secure_js},
    {"session/session.js", file_session_session_js, sizeof file_session_session_js},
    {"session/sharelink.js", file_session_sharelink_js, sizeof file_session_sharelink_js},
    {"session/signalling.js", file_session_signalling_js, sizeof file_session_signalling_js},
    {"session/soundoffer.js", file_session_soundoffer_js, sizeof file_session_soundoffer_js},
    {"sound/livesound.js", file_sound_livesound_js, sizeof file_sound_livesound_js},
    {"sound/packetorder.js", file_sound_packetorder_js, sizeof file_sound_packetorder_js},
    {"sound/playout.js", file_sound_playout_js, sizeof file_sound_playout_js},
    {"sound/sound.js", file_sound_sound_js, sizeof file_sound_sound_js},
    {"sound/sounddecoder.js", file_sound_sounddecoder_js, sizeof file_sound_sounddecoder_js},
    {"sound/soundtimes.js", file_sound_soundtimes_js, sizeof file_sound_soundtimes_js},
    {"sound/soundworklet.js", file_sound_soundworklet_js, sizeof file_sound_soundworklet_js},
    {"style.css", file_style_css, sizeof file_style_css},
    {"ui/bar.js", file_ui_bar_js, sizeof file_ui_bar_js},
    {"ui/card.js", file_ui_card_js, sizeof file_ui_card_js},
    {"ui/chart.js", file_ui_chart_js, sizeof file_ui_chart_js},
    {"ui/elements.js", file_ui_elements_js, sizeof file_ui_elements_js},
    {"ui/hint.js", file_ui_hint_js, sizeof file_ui_hint_js},
    {"ui/install.js", file_ui_install_js, sizeof file_ui_install_js},
    {"ui/keylabels.js", file_ui_keylabels_js, sizeof file_ui_keylabels_js},
    {"ui/keys.js", file_ui_keys_js, sizeof file_ui_keys_js},
    {"ui/monitors.js", file_ui_monitors_js, sizeof file_ui_monitors_js},
    {"ui/note.js", file_ui_note_js, sizeof file_ui_note_js},
    {"ui/people.js", file_ui_people_js, sizeof file_ui_people_js},
    {"ui/rates.js", file_ui_rates_js, sizeof file_ui_rates_js},
    {"ui/statistics.js", file_ui_statistics_js, sizeof file_ui_statistics_js},
    {"ui/words.js", file_ui_words_js, sizeof file_ui_words_js},
};

size_t cwebpages_count(void) { return sizeof pages / sizeof *pages; }

struct CWebPage cwebpages_at(size_t index) { return pages[index]; }
