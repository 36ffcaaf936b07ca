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

    /** The pictures of a file, each with its delimiter. */
    public static List<byte[]> units(String name) {
        List<byte[]> units = new ArrayList<>();
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(new File(FOLDER, name).toPath());
        } catch (IOException absent) {
            return units;
        }
        int start = -1;
        for (int i = 0; i <= bytes.length; i++) {
            boolean begins = i + 5 <= bytes.length && bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 0
                    && bytes[i + 3] == 1 && (bytes[i + 4] & 31) == 9;
            if (!begins && i < bytes.length) continue;
            if (start >= 0) units.add(Arrays.copyOfRange(bytes, start, i));
            start = i;
        }
        return units;
    }

    /** The parameter sets of a picture: all before its first slice. */
    public static byte[] sets(byte[] unit) {
        for (int i = 0; i + 4 < unit.length; i++) {
            int type = unit[i + 3] & 31;
            if (unit[i] == 0 && unit[i + 1] == 0 && unit[i + 2] == 1 && (type == 1 || type == 5)) {
                return Arrays.copyOfRange(unit, 6, i > 0 && unit[i - 1] == 0 ? i - 1 : i);
            }
        }
        return unit;
    }

    /** True if a picture has a slice of an IDR picture. */
    public static boolean isKeyframe(byte[] unit) {
        for (int i = 0; i + 3 < unit.length; i++) {
            if (unit[i] == 0 && unit[i + 1] == 0 && unit[i + 2] == 1 && (unit[i + 3] & 31) == 5) return true;
        }
        return false;
    }
}
