package org.heliograph.phone;

import android.content.AttributionSource;
import android.content.Context;
import android.content.ContextWrapper;

import java.io.IOException;
import java.io.InputStream;

/** The identity of this process for Android's services, and commands of the phone. */
final class Shell extends ContextWrapper {
    /** The package of the user "shell". */
    static final String PACKAGE = "com.android.shell";

    /** The user's number: Process.SHELL_UID. */
    private static final int UID = 2000;

    private static Shell shared;

    private Shell(Context base) {
        super(base);
    }

    @Override
    public String getPackageName() {
        return PACKAGE;
    }

    @Override
    public String getOpPackageName() {
        return PACKAGE;
    }

    /** Since Android 12 recording asks for this: the wrapped context's is the system's, which this process is not. */
    @Override
    public AttributionSource getAttributionSource() {
        return new AttributionSource.Builder(UID).setPackageName(PACKAGE).build();
    }

    @Override
    public Context getApplicationContext() {
        return this;
    }

    /** The context of this process. Throws if this version of Android does not make one for a process of this kind. */
    static synchronized Shell context() throws ReflectiveOperationException {
        if (shared == null) {
            Class<?> thread = Hidden.type("android.app.ActivityThread");
            Object main = thread.getMethod("systemMain").invoke(null);
            shared = new Shell((Context) thread.getMethod("getSystemContext").invoke(main));
        }
        return shared;
    }

    /** Runs a command, and returns the end of its output, at most 4096 bytes of it. Throws if it fails. */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        byte[] kept = new byte[4096];
        int count = 0;
        InputStream output = process.getInputStream();
        int read = 0;
        while (count < kept.length && read >= 0) {
            count += read;
            read = output.read(kept, count, kept.length - count);
        }
        while (output.read() >= 0) continue;
        String text = new String(kept, 0, count, "UTF-8").trim();
        try {
            if (process.waitFor() != 0) throw new IOException(command[0] + ": " + text);
        } catch (InterruptedException never) {
            throw new IOException(never);
        }
        return text;
    }
}
