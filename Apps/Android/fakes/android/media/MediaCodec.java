package android.media;

import android.view.Surface;

import fakes.Phone;
import fakes.Picture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A stand-in for an encoder: gives pictures of a file, or invented ones whose size follows the bitrate.
 *
 * The file "video-WIDTHxHEIGHT.avc" or ".hevc" of the fake phone's folder is H.264 or H.265 in Annex B form with a
 * delimiter before each picture, given again and again. A requested keyframe comes with the next picture. While the file
 * "still" is there, only a newly connected display gives a picture. The file "refuse" holds the number of
 * configurations to refuse. Each 30th picture has a flash.
 */
public final class MediaCodec {
    public static final int CONFIGURE_FLAG_ENCODE = 1;
    public static final int BUFFER_FLAG_KEY_FRAME = 1;
    public static final int BUFFER_FLAG_CODEC_CONFIG = 2;
    public static final int INFO_TRY_AGAIN_LATER = -1;
    private static final long INTERVAL = 33333333L;
    private static int refused;

    private final Surface surface = new Surface();
    private List<Picture> pictures = new ArrayList<>();
    private int bitrate;
    private int next;
    private int connections;
    private boolean wantsKeyframe = true;
    private boolean isStarted;
    private boolean gaveSets;
    private long last;
    private byte[] output;

    public static final class BufferInfo {
        public int offset;
        public int size;
        public long presentationTimeUs;
        public int flags;
    }

    public static MediaCodec createEncoderByType(String type) {
        return new MediaCodec();
    }

    public static MediaCodec createByCodecName(String name) {
        if (!name.startsWith("fake.")) throw new IllegalArgumentException("there is no codec " + name);
        return new MediaCodec();
    }

    public void configure(MediaFormat format, Surface surface, MediaCrypto crypto, int flags) {
        Phone.tell("configure " + format.values);
        if (refused < Integer.parseInt(Phone.read("refuse", "0").trim())) {
            refused++;
            throw new IllegalArgumentException("the fake encoder refuses");
        }
        bitrate = (Integer) format.values.get("bitrate");
        boolean isHEVC = format.values.get("mime").equals("video/hevc");
        String name = "video-" + format.values.get("width") + "x" + format.values.get("height");
        pictures = Phone.pictures(name + (isHEVC ? ".hevc" : ".avc"), isHEVC);
    }

    public Surface createInputSurface() {
        return surface;
    }

    public void start() {
        isStarted = true;
    }

    public void stop() {
        if (!isStarted) throw new IllegalStateException("not started");
        isStarted = false;
    }

    public void release() {}

    public synchronized void setParameters(android.os.Bundle changes) {
        Phone.tell("parameters " + changes.values);
        if (changes.values.containsKey("request-sync")) wantsKeyframe = true;
        Object bits = changes.values.get("video-bitrate");
        if (bits != null) bitrate = (Integer) bits;
    }

    public synchronized int dequeueOutputBuffer(BufferInfo info, long microseconds) throws InterruptedException {
        if (Phone.has("break")) throw new IllegalStateException("the fake encoder breaks");
        if (!gaveSets) {
            gaveSets = true;
            byte[] sets = {0, 0, 0, 1, 0x67, 66, 0, 30, 1, 0, 0, 0, 1, 0x68, 1};
            return give(info, pictures.isEmpty() ? sets : pictures.get(0).sets(), BUFFER_FLAG_CODEC_CONFIG);
        }
        long now = System.nanoTime();
        boolean isConnected = surface.isDrawn && surface.connections != connections;
        boolean isMoving = surface.isDrawn && !Phone.has("still") && now - last >= INTERVAL;
        if (!isConnected && !isMoving) {
            wait(Math.max(1, microseconds / 10000));
            return INFO_TRY_AGAIN_LATER;
        }
        connections = surface.connections;
        last = now;
        boolean isKeyframe = wantsKeyframe;
        wantsKeyframe = false;
        if (pictures.isEmpty()) return give(info, invented(isKeyframe), isKeyframe ? BUFFER_FLAG_KEY_FRAME : 0);
        if (isKeyframe) while (!pictures.get(next % pictures.size()).isKeyframe) next++;
        if (next % pictures.size() % 30 == 0) {
            Phone.flash = now;
            Phone.tell("flash " + System.currentTimeMillis());
        }
        Picture picture = pictures.get(next++ % pictures.size());
        return give(info, picture.bytes, picture.isKeyframe ? BUFFER_FLAG_KEY_FRAME : 0);
    }

    private byte[] invented(boolean isKeyframe) {
        byte[] unit = new byte[Math.max(16, bitrate / 8 / 30)];
        java.util.Arrays.fill(unit, (byte) 0x55);
        unit[0] = unit[1] = unit[2] = 0;
        unit[3] = 1;
        unit[4] = (byte) (isKeyframe ? 0x65 : 0x41);
        return unit;
    }

    private int give(BufferInfo info, byte[] bytes, int flags) {
        output = bytes;
        info.offset = 0;
        info.size = bytes.length;
        info.presentationTimeUs = System.nanoTime() / 1000;
        info.flags = flags;
        return 0;
    }

    public ByteBuffer getOutputBuffer(int index) {
        return ByteBuffer.wrap(output);
    }

    public void releaseOutputBuffer(int index, boolean render) {}
}
