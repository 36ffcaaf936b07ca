package fakes;

import java.util.Arrays;

/** A coded picture in Annex B form: H.264, or H.265 (HEVC). */
public final class Picture {
    public final byte[] bytes;
    /** True if it has a slice of a picture at which decoding can begin. */
    public final boolean isKeyframe;
    private final int firstSlice;

    Picture(byte[] bytes, boolean isHEVC) {
        this.bytes = bytes;
        int slice = bytes.length;
        boolean isKeyframe = false;
        for (int i = 0; i + 3 < bytes.length && slice == bytes.length; i++) {
            if (bytes[i] != 0 || bytes[i + 1] != 0 || bytes[i + 2] != 1) continue;
            int type = type(bytes[i + 3], isHEVC);
            // H.264: 1 and 5 are slices, the latter of an IDR picture. H.265: those below 32, 16 to 21 of an IRAP one.
            if (isHEVC ? type >= 32 : type != 1 && type != 5) continue;
            slice = i > 0 && bytes[i - 1] == 0 ? i - 1 : i;
            isKeyframe = isHEVC ? type >= 16 && type <= 21 : type == 5;
        }
        firstSlice = slice;
        this.isKeyframe = isKeyframe;
    }

    private static int type(byte header, boolean isHEVC) {
        return isHEVC ? header >> 1 & 63 : header & 31;
    }

    static boolean isDelimiter(byte header, boolean isHEVC) {
        return type(header, isHEVC) == (isHEVC ? 35 : 9);
    }

    /** Its parameter sets: all between the delimiter and the first slice. */
    public byte[] sets() {
        int start = 4;
        while (start + 3 < firstSlice && (bytes[start] != 0 || bytes[start + 1] != 0 || bytes[start + 2] != 0
                || bytes[start + 3] != 1)) start++;
        return Arrays.copyOfRange(bytes, start, firstSlice);
    }
}
