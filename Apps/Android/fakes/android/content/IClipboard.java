package android.content;

/** The clipboard by Android 14's parameters. Text in the file "copy" of the fake phone's folder is copied to it. */
public interface IClipboard {
    void setPrimaryClip(ClipData clip, String callingPackage, String attributionTag, int userId, int deviceId);

    ClipData getPrimaryClip(String pkg, String attributionTag, int userId, int deviceId);

    void addPrimaryClipChangedListener(
            IOnPrimaryClipChangedListener listener, String callingPackage, String attributionTag, int userId,
            int deviceId);

    final class Stub {
        private static final IClipboard SHARED = new Fake();

        public static IClipboard asInterface(android.os.IBinder binder) {
            return SHARED;
        }
    }

    final class Fake implements IClipboard {
        private ClipData clip;
        private IOnPrimaryClipChangedListener listener;

        @Override
        public void setPrimaryClip(ClipData clip, String pkg, String tag, int userId, int deviceId) {
            check(pkg);
            this.clip = clip;
            fakes.Phone.tell("clipboard " + clip.getItemAt(0).getText());
            if (listener != null) listener.dispatchPrimaryClipChanged();
        }

        @Override
        public ClipData getPrimaryClip(String pkg, String tag, int userId, int deviceId) {
            check(pkg);
            return clip;
        }

        @Override
        public void addPrimaryClipChangedListener(
                IOnPrimaryClipChangedListener listener, String pkg, String tag, int userId, int deviceId) {
            check(pkg);
            this.listener = listener;
            fakes.Phone.onCopy(new fakes.Phone.Copied() {
                @Override
                public void copied(String text) {
                    clip = ClipData.newPlainText(null, text);
                    Fake.this.listener.dispatchPrimaryClipChanged();
                }
            });
        }

        private static void check(String pkg) {
            if (!"com.android.shell".equals(pkg)) throw new SecurityException("package " + pkg);
        }
    }
}
