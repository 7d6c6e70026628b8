package dev.touchstone.builds.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FrameFilterTest {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PING = 6;
    private static final int CONTINUATION = 9;
    private static final byte[] PREFACE = new byte[24];

    private final FrameFilter filter = new FrameFilter(new WaitingMessages(new AtomicLong()));

    @SuppressWarnings("ArrayRecordComponent") // compared by its bytes only
    private record Frame(int type, int flags, int stream, byte[] payload) {
        byte[] bytes() {
            return ByteBuffer.allocate(9 + payload.length)
                    .putShort((short) (payload.length >> 8))
                    .put((byte) payload.length)
                    .put((byte) type)
                    .put((byte) flags)
                    .putInt(stream)
                    .put(payload)
                    .array();
        }

        boolean joins(Frame next) {
            return type == DATA
                    && next.type == DATA
                    && flags == 0
                    && next.flags == 0
                    && stream == next.stream
                    && payload.length > 0
                    && next.payload.length > 0;
        }
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static List<Frame> frames(byte[] bytes) {
        List<Frame> frames = new ArrayList<>();
        ByteBuffer from = ByteBuffer.wrap(bytes, PREFACE.length, bytes.length - PREFACE.length);
        while (from.hasRemaining()) {
            int length = ((from.getShort() & 0xffff) << 8) | (from.get() & 0xff);
            int type = from.get();
            int flags = from.get();
            int stream = from.getInt();
            byte[] payload = new byte[length];
            from.get(payload);
            frames.add(new Frame(type, flags, stream, payload));
        }
        return frames;
    }

    /** Returns the frames with all neighbours joined that may be. */
    private static List<String> joined(List<Frame> frames) {
        List<Frame> joined = new ArrayList<>();
        for (Frame frame : frames) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).joins(frame)) {
                Frame before = joined.remove(last);
                joined.add(new Frame(DATA, 0, frame.stream, concat(before.payload, frame.payload)));
            } else {
                joined.add(frame);
            }
        }
        return joined.stream()
                .map(frame ->
                        frame.type + " " + frame.flags + " " + frame.stream + " " + Arrays.toString(frame.payload))
                .toList();
    }

    @Test
    void frames_ofAnyShapeInAnyPieces_keepTheirMeaning() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<Frame> sent = new ArrayList<>();
            byte[] bytes = PREFACE;
            for (int i = random.nextInt(60); i > 0; i--) {
                byte[] payload = new byte[random.nextInt(random.nextInt(20) == 0 ? 9_000 : 30)];
                random.nextBytes(payload);
                int type = random.nextInt(3) > 0 ? DATA : random.nextInt(10);
                Frame frame = new Frame(type, random.nextInt(10) > 0 ? 0 : 1, random.nextInt(2), payload);
                sent.add(frame);
                bytes = concat(bytes, frame.bytes());
            }
            FrameFilter filtering = new FrameFilter(new WaitingMessages(new AtomicLong()));
            ByteArrayOutputStream left = new ByteArrayOutputStream();
            for (int at = 0; at < bytes.length; ) {
                int count = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 12 : 8_192));
                int margin = random.nextInt(3);
                byte[] piece = new byte[count + 2 * margin];
                System.arraycopy(bytes, at, piece, margin, count);
                int kept = filtering.filter(piece, margin, count, 0);
                assertThat(kept).as("seed=%d", seed).isBetween(1, count);
                left.write(piece, margin, kept);
                at += count;
            }
            assertThat(joined(frames(left.toByteArray()))).as("seed=%d", seed).isEqualTo(joined(sent));
        }
    }

    @Test
    void data_inManySmallFrames_becomesFewFrames() throws IOException {
        byte[] bytes = PREFACE;
        for (int i = 0; i < 200; i++) {
            bytes = concat(bytes, new Frame(DATA, 0, 1, new byte[] {(byte) i}).bytes());
        }
        int kept = filter.filter(bytes, 0, bytes.length, 0);
        assertThat(kept).isEqualTo(PREFACE.length + 9 + 200);
        List<Frame> frames = frames(Arrays.copyOf(bytes, kept));
        assertThat(frames).hasSize(1);
        for (int i = 0; i < 200; i++) {
            assertThat(frames.get(0).payload()[i]).isEqualTo((byte) i);
        }
    }

    private void send(Frame frame, long now) throws IOException {
        byte[] bytes = frame.bytes();
        int unused = filter.filter(bytes, 0, bytes.length, now);
    }

    private void begin() throws IOException {
        int unused = filter.filter(PREFACE.clone(), 0, PREFACE.length, 0);
    }

    @Test
    void headerBlock_inContinuations_hasALimit() throws IOException {
        begin();
        for (int block = 0; block < 3; block++) { // each block for itself
            send(new Frame(HEADERS, 0, 1, new byte[8_192]), 0);
            send(new Frame(CONTINUATION, 4, 1, new byte[8_192]), 0);
        }
        assertThatThrownBy(() -> send(new Frame(CONTINUATION, 0, 1, new byte[1]), 0))
                .isInstanceOf(IOException.class)
                .hasMessage("header block is too long: most bytes=16384");
    }

    @Test
    void frames_withoutData_haveALimitInTime() throws IOException {
        begin();
        long now = -FrameFilter.PERIOD_NANOS;
        for (int period = 0; period < 3; period++) {
            for (int i = 0; i < FrameFilter.MAX_FRAMES; i++) {
                send(new Frame(PING, 0, 0, new byte[8]), now);
            }
            now += FrameFilter.PERIOD_NANOS + 1;
        }
        long end = now - 1;
        assertThatThrownBy(() -> send(new Frame(DATA, 0, 1, new byte[0]), end))
                .hasMessageContaining("too many frames without data");
    }
}
