package org.heliograph.phone;

import android.content.ClipData;
import android.content.IOnPrimaryClipChangedListener;

/** The phone's clipboard: its text. */
final class Clipboard {
    private final Reports reports;
    private Object service;

    Clipboard(Reports reports) {
        this.reports = reports;
    }

    /** Reports text that is copied from now on. */
    void watch() {
        try {
            service = Hidden.service("clipboard", "android.content.IClipboard");
            Hidden.call(service, "addPrimaryClipChangedListener", new IOnPrimaryClipChangedListener.Stub() {
                @Override
                public void dispatchPrimaryClipChanged() {
                    changed();
                }
            });
        } catch (Throwable error) {
            reports.failed(Reports.CLIPBOARD, error);
        }
    }

    private void changed() {
        try {
            ClipData clip = (ClipData) Hidden.call(service, "getPrimaryClip");
            if (clip == null || clip.getItemCount() == 0) return;
            CharSequence text = clip.getItemAt(0).getText();
            if (text != null) reports.clipboard(text.toString());
        } catch (Throwable error) {
            reports.failed(Reports.CLIPBOARD, error);
        }
    }

    void set(String text) {
        try {
            if (service == null) service = Hidden.service("clipboard", "android.content.IClipboard");
            Hidden.call(service, "setPrimaryClip", ClipData.newPlainText(null, text));
        } catch (Throwable error) {
            reports.failed(Reports.CLIPBOARD, error);
        }
    }
}
