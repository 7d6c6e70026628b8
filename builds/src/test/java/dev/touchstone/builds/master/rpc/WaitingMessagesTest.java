package dev.touchstone.builds.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WaitingMessagesTest {
    private static final int FRAME = 8 << 10;

    private final AtomicLong all = new AtomicLong();
    private final WaitingMessages waiting = new WaitingMessages(all);

    private static byte[] message(int length) {
        return ByteBuffer.allocate(5 + length)
                .put(1, (byte) (length >> 24))
                .putInt(1, length)
                .array();
    }

    private void frame(int stream, byte[] data, int from, int count) {
        waiting.frame(stream, count);
        waiting.data(stream, data, from, count);
    }

    private void inFramesOf(int stream, int size, byte[] data) {
        for (int at = 0; at < data.length; at += size) {
            frame(stream, data, at, Math.min(size, data.length - at));
        }
    }

    @Test
    void bytes_ofMessagesThatAreDealtWith_leaveThoseOfOtherStreams() {
        inFramesOf(1, 1, message(95));
        assertThat(all.get()).isEqualTo(100 * FRAME);
        for (int i = 0; i < 100; i++) {
            inFramesOf(3, 16 << 10, message(1_000_000));
            waiting.dealtWith(1_000_000);
            inFramesOf(3, 1 << 10, message(95));
            waiting.dealtWith(95);
        }
        assertThat(all.get()).isEqualTo(100 * FRAME);
        waiting.dealtWith(95);
        assertThat(all.get()).isZero();
    }

    @Test
    void bytes_ofAMessageThatNeverEnds_countUntilItsStreamIsReset() {
        frame(1, message(1_000_000), 0, 600_000);
        waiting.dealtWith(1_000_000);
        assertThat(waiting.bytes()).isEqualTo(600_000);
        waiting.reset(1);
        assertThat(waiting.bytes()).isZero();
    }

    @Test
    void bytes_ofAConnectionThatHasEnded_areNone() {
        frame(1, message(1_000_000), 0, 600_000);
        inFramesOf(3, 7, message(10));
        waiting.end();
        waiting.dealtWith(10);
        frame(1, new byte[10], 0, 10);
        waiting.end();
        assertThat(all.get()).isZero();
    }

    @Test
    void bytes_throughAFilter_ofFramesOfAnyShape_areNoneWhenAllIsDealtWith() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            FrameFilter filter = new FrameFilter(waiting);
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            sent.writeBytes(new byte[24]);
            List<Integer> lengths = new ArrayList<>();
            List<ByteBuffer> streams = new ArrayList<>();
            for (int stream = 0; stream < 3; stream++) {
                ByteArrayOutputStream messages = new ByteArrayOutputStream();
                for (int i = random.nextInt(8); i > 0; i--) {
                    lengths.add(random.nextInt(random.nextBoolean() ? 4 : 20_000));
                    messages.writeBytes(message(lengths.get(lengths.size() - 1)));
                }
                streams.add(ByteBuffer.wrap(messages.toByteArray()));
            }
            while (streams.stream().anyMatch(ByteBuffer::hasRemaining)) {
                int stream = random.nextInt(streams.size());
                ByteBuffer left = streams.get(stream);
                if (!left.hasRemaining()) {
                    continue;
                }
                byte[] data =
                        new byte[Math.min(left.remaining(), 1 + random.nextInt(random.nextBoolean() ? 3 : 9_000))];
                left.get(data);
                boolean isPadded = random.nextInt(4) == 0;
                byte padding = (byte) (isPadded ? random.nextInt(256) : 0);
                int length = data.length + (isPadded ? 1 + (padding & 0xff) : 0);
                sent.writeBytes(ByteBuffer.allocate(9)
                        .putShort((short) (length >> 8))
                        .put((byte) length)
                        .put((byte) 0)
                        .put((byte) (isPadded ? 8 : 0))
                        .putInt(2 * stream + 1)
                        .array());
                if (isPadded) {
                    sent.write(padding);
                }
                sent.writeBytes(data);
                sent.writeBytes(new byte[padding & 0xff]);
            }
            byte[] bytes = sent.toByteArray();
            for (int at = 0; at < bytes.length; ) {
                int count = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 12 : 8_192));
                int unused = filter.filter(bytes, at, count, 0);
                at += count;
            }
            assertThat(all.get() > 0).as("seed=%d", seed).isEqualTo(!lengths.isEmpty());
            Collections.shuffle(lengths, random);
            lengths.forEach(waiting::dealtWith);
            assertThat(all.get()).as("seed=%d", seed).isZero();
        }
    }
}
