package org.heliograph.phone;

import android.media.MediaCodecInfo;
import android.media.MediaCodecList;
import android.os.Build;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The phone's video encoders. */
final class Codecs {
    /** MIME types by the numbers of codecs in PhoneDevice.swift, from 1. */
    private static final String[] TYPES = {"video/avc", "video/hevc"};
    private static final int MOST = 64;

    private Codecs() {}

    static String type(int codec) {
        return TYPES[codec - 1];
    }

    /** Reports the phone and its encoders. */
    static void report(Reports reports) {
        reports.control(1, new Reports.Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeShort(Build.VERSION.SDK_INT);
                Reports.text(output, Build.MANUFACTURER + " " + Build.MODEL);
                List<Object[]> encoders = encoders();
                output.writeByte(encoders.size());
                for (Object[] encoder : encoders) {
                    Codecs.write(output, (MediaCodecInfo) encoder[0], (Integer) encoder[1]);
                }
            }
        });
    }

    private static List<Object[]> encoders() {
        List<Object[]> found = new ArrayList<Object[]>();
        for (MediaCodecInfo info : new MediaCodecList(MediaCodecList.REGULAR_CODECS).getCodecInfos()) {
            if (!info.isEncoder()) continue;
            for (int codec = 1; codec <= TYPES.length; codec++) {
                for (String type : info.getSupportedTypes()) {
                    if (type.equalsIgnoreCase(TYPES[codec - 1]) && found.size() < MOST) {
                        found.add(new Object[] {info, codec});
                    }
                }
            }
        }
        return found;
    }

    private static void write(DataOutputStream output, MediaCodecInfo info, int codec) throws IOException {
        MediaCodecInfo.VideoCapabilities limits = info.getCapabilitiesForType(TYPES[codec - 1]).getVideoCapabilities();
        output.writeByte(codec);
        output.writeByte(isHardware(info) ? 1 : 0);
        output.writeByte(Math.min(255, Math.max(1, limits.getWidthAlignment())));
        output.writeByte(Math.min(255, Math.max(1, limits.getHeightAlignment())));
        output.writeShort(Math.min(65535, limits.getSupportedWidths().getUpper()));
        output.writeShort(Math.min(65535, limits.getSupportedHeights().getUpper()));
        output.writeInt(limits.getBitrateRange().getUpper());
        Reports.text(output, info.getName());
    }

    private static boolean isHardware(MediaCodecInfo info) {
        if (Build.VERSION.SDK_INT >= 29) return info.isHardwareAccelerated();
        // Google's software encoders have had these names since the first versions.
        return !info.getName().startsWith("OMX.google.") && !info.getName().startsWith("c2.android.");
    }
}
