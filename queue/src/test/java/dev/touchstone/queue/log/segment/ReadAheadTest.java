package dev.touchstone.queue.log.segment;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.FileIo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Buffers that are read ahead: each comes back to the pool once, and never while a thread fills it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadAheadTest {
    private static final long NOW = 5;
    private static final long LATER = NOW + ReadAhead.MAX_KEPT_NANOS;

    private final List<ReadAhead> begun = new ArrayList<>();

    private @Nullable ReadAhead begin(FileIo.DataFile file, long nanoTime) {
        ReadAhead ahead = ReadAhead.begin(file, 0, nanoTime);
        if (ahead != null) {
            begun.add(ahead);
        }
        return ahead;
    }

    @AfterEach
    void abandonAll() {
        begun.forEach(ReadAhead::abandon);
    }

    /** Returns a file that a reading thread has begun to read ahead: the first such, since these threads may be busy. */
    private HeldFile beginAndAwait() throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            HeldFile file = new HeldFile();
            file.ahead = requireNonNull(begin(file, NOW));
            if (file.begun.await(100, TimeUnit.MILLISECONDS)) {
                return file;
            }
            file.ahead.abandon();
            file.released.countDown();
        }
        throw new AssertionError("no reading thread began within 60 s");
    }

    /** Takes the huge windows that the pool has. */
    private static Set<ByteBuffer> emptyPool() {
        Set<ByteBuffer> windows = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 64; i++) {
            windows.add(WindowPool.take(WindowPool.HUGE_BYTES));
        }
        return windows;
    }

    @Test
    void abandon_whileTheReadIsUnderWay_keepsTheBufferFromThePoolUntilTheReadHasEnded() throws Exception {
        HeldFile file = beginAndAwait();
        ReadAhead ahead = requireNonNull(file.ahead);
        ahead.abandon();
        assertThat(emptyPool().contains(file.target))
                .as("in the pool while the read is under way")
                .isFalse();
        file.released.countDown();
        assertThat(ahead.take()).as("what an abandoned read gives").isNull();
        assertThat(emptyPool().contains(file.target))
                .as("in the pool after the read")
                .isTrue();
    }

    @Test
    void abandon_thatNoThreadReads_givesTheBufferBackOnce() throws Exception {
        HeldFile busy = beginAndAwait();
        HeldFile alsoBusy = beginAndAwait();
        HeldFile file = new HeldFile();
        ReadAhead unread = requireNonNull(begin(file, NOW));
        Set<ByteBuffer> unused = emptyPool();
        unread.abandon();
        unread.abandon();
        ByteBuffer back = WindowPool.take(WindowPool.HUGE_BYTES);
        Set<ByteBuffer> others = emptyPool();
        assertThat(unread.take()).isNull();
        assertThat(file.target).as("read by an abandoned one").isNull();
        assertThat(others.contains(back))
                .as("a buffer that is in the pool twice")
                .isFalse();
        assertThat(unused.contains(back)).isFalse();
        busy.released.countDown();
        alsoBusy.released.countDown();
        assertThat(requireNonNull(busy.ahead).take()).isSameAs(busy.target);
        assertThat(requireNonNull(alsoBusy.ahead).take()).isSameAs(alsoBusy.target);
    }

    @Test
    void take_givesTheBufferToTheReaderAlone() throws Exception {
        HeldFile file = beginAndAwait();
        ReadAhead ahead = requireNonNull(file.ahead);
        file.released.countDown();
        assertThat(ahead.take()).isSameAs(file.target);
        ahead.abandon();
        assertThat(emptyPool().contains(file.target)).isFalse();
    }

    @Test
    void begin_besideAsManyAsAreKept_waitsForTheirReadersOrTakesTheOldestBack() {
        HeldFile file = new HeldFile();
        file.released.countDown();
        assertThat(begin(file, NOW)).isNotNull();
        while (begun.size() < ReadAhead.MAX_KEPT) {
            assertThat(begin(file, NOW + 1)).isNotNull();
        }
        assertThat(begin(file, LATER - 1)).as("beside readers that are at work").isNull();
        assertThat(begin(file, LATER)).as("in place of the oldest").isNotNull();
        assertThat(begun.get(0).take()).as("the oldest").isNull();
        assertThat(begun.get(1).take()).isNotNull();
        assertThat(begin(file, NOW)).as("in place of one that was taken").isNotNull();
        begun.get(2).abandon();
        assertThat(begin(file, NOW)).as("in place of one that was abandoned").isNotNull();
        assertThat(begin(file, NOW)).isNull();
    }

    /** A file whose reads wait until they are let go. */
    private static final class HeldFile implements FileIo.DataFile {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private @Nullable ReadAhead ahead;
        private volatile @Nullable ByteBuffer target;

        @Override
        public int read(ByteBuffer into, long position) {
            target = into;
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            int bytes = into.remaining();
            into.position(into.limit());
            return bytes;
        }

        @Override
        public ByteBuffer mapForWriting(int bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void truncate(long bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            return Long.MAX_VALUE;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
