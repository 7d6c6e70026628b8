package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.Cookie;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The proof of a cookie: MD5, which the protocol prescribes, of the cookie and the challenge in decimal digits. */
final class Digest {
    private Digest() {}

    static byte[] of(Cookie cookie, int challenge) {
        MessageDigest md5 = md5();
        cookie.updateDigest(md5);
        md5.update(Integer.toUnsignedString(challenge).getBytes(StandardCharsets.US_ASCII));
        return md5.digest();
    }

    /** Returns whether a digest proves the cookie; takes the same time for every digest. */
    static boolean isProof(byte[] digest, Cookie cookie, int challenge) {
        return MessageDigest.isEqual(digest, of(cookie, challenge));
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no MD5, which the handshake with Erlang needs", e);
        }
    }
}
