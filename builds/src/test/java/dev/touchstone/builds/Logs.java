package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads logs to their end and checks that each byte comes once and in its place. */
final class Logs {
    private Logs() {}

    /** The whole log's bytes, as one string for each. */
    static String text(Build build) throws Exception {
        StringBuilder log = new StringBuilder();
        end(build.follow(0, (offset, bytes) -> {
            assertThat(offset).isEqualTo(log.length());
            while (bytes.hasRemaining()) {
                log.append((char) (bytes.get() & 0xff));
            }
            return true;
        }));
        return log.toString();
    }

    static String sha256(Build build) throws Exception {
        MessageDigest digest = digest();
        long[] next = {0};
        end(build.follow(0, (offset, bytes) -> {
            assertThat(offset).isEqualTo(next[0]);
            next[0] += bytes.remaining();
            digest.update(bytes);
            return true;
        }));
        return HexFormat.of().formatHex(digest.digest());
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static <T> T end(CompletableFuture<T> future) throws Exception {
        return future.get(90, TimeUnit.SECONDS);
    }
}
