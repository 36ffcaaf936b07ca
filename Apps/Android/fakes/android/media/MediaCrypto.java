package android.media;

public final class MediaCrypto {
    private MediaCrypto() {}
}
