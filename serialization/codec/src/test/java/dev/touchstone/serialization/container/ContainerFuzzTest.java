package dev.touchstone.serialization.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.exception.CompactContainerException;
import dev.touchstone.serialization.exception.CompactContainerException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Containers with changed bytes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerFuzzTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** A changed byte is found wherever it is, and is never taken for a cut, but in the bytes that say what it is. */
    @Test
    void next_ofAnyChangedByte_isRefused() throws IOException {
        byte[] bytes = ContainerTest.container();
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                String what = "at=" + at + " bit=" + bit;
                Optional<CompactContainerException> failure = read(changed, what);
                assertThat(failure).as(what).isPresent();
                assertThat(failure.orElseThrow().reason())
                        .as(what)
                        .isEqualTo(at < Long.BYTES ? Reason.NOT_A_CONTAINER : Reason.DAMAGED);
                assertThat(failure.orElseThrow().offset()).as(what).isLessThanOrEqualTo(at);
            }
        }
    }

    @Test
    void next_ofManyChangedBytes_isRefusedByTypedExceptions() throws IOException {
        byte[] bytes = ContainerTest.container();
        for (int i = 0; i < 30_000; i++) {
            byte[] changed = bytes.clone();
            int at = random.nextInt(bytes.length - 4);
            for (int j = 0; j < 4; j++) {
                changed[at + j] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                changed = Arrays.copyOf(changed, random.nextInt(bytes.length + 10));
            }
            String what = "seed=" + seed + " bytes=" + HexFormat.of().formatHex(changed);
            Optional<CompactContainerException> failure = read(changed, what);
            if (failure.isPresent()) {
                assertThat(failure.get().offset()).as(what).isBetween(0L, (long) changed.length);
            } else {
                int length = Math.min(changed.length, bytes.length);
                assertThat(Arrays.equals(changed, 0, length, bytes, 0, length))
                        .as(what)
                        .isTrue();
            }
        }
    }

    private static Optional<CompactContainerException> read(byte[] bytes, String what) throws IOException {
        try (ContainerReader reader = new ContainerReader(new ByteArrayInputStream(bytes), Limits.DEFAULT)) {
            while (reader.next().isPresent()) {
                assertThat(reader.records()).as(what).isLessThan(3);
            }
            return Optional.empty();
        } catch (CompactContainerException e) {
            return Optional.of(e);
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }
}
