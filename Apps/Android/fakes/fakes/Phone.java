package fakes;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fake phone's folder, by which a test drives it and sees what it was told: HELIO_FAKE_PHONE. */
public final class Phone {
    private static final File FOLDER = new File(System.getenv("HELIO_FAKE_PHONE"));
    /** The instant at which the newest picture with a flash was given out, by System.nanoTime(). */
    public static volatile long flash = Long.MIN_VALUE / 2;

    public interface Copied {
        void copied(String text);
    }

    private Phone() {}

    /** Appends a line to the file "events". */
    public static synchronized void tell(String line) {
        try (FileWriter writer = new FileWriter(new File(FOLDER, "events"), true)) {
            writer.write(line + "\n");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public static boolean has(String name) {
        return new File(FOLDER, name).exists();
    }

    public static String read(String name, String otherwise) {
        try {
            return new String(Files.readAllBytes(new File(FOLDER, name).toPath()), StandardCharsets.UTF_8);
        } catch (IOException absent) {
            return otherwise;
        }
    }

    /** Copies the text of the file "copy" whenever the file is there, and removes the file. */
    public static void onCopy(final Copied copied) {
        Thread thread = new Thread(() -> {
            while (true) {
                String text = read("copy", null);
                if (text != null && new File(FOLDER, "copy").delete()) copied.copied(text);
                try {
                    Thread.sleep(20);
                } catch (InterruptedException never) {
                    return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** The coded pictures of a file of its folder in Annex B form, each with the delimiter before it; none without. */
    public static List<Picture> pictures(String name, boolean isHEVC) {
        List<Picture> pictures = new ArrayList<>();
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(new File(FOLDER, name).toPath());
        } catch (IOException absent) {
            return pictures;
        }
        int start = -1;
        for (int i = 0; i <= bytes.length; i++) {
            boolean begins = i + 5 <= bytes.length && bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 0
                    && bytes[i + 3] == 1 && Picture.isDelimiter(bytes[i + 4], isHEVC);
            if (!begins && i < bytes.length) continue;
            if (start >= 0) pictures.add(new Picture(Arrays.copyOfRange(bytes, start, i), isHEVC));
            start = i;
        }
        return pictures;
    }
}
