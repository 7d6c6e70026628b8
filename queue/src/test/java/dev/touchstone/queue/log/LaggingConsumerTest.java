package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that stay a little behind their producer: nothing is read before it is written, and so no byte twice. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaggingConsumerTest {
    private static final int RECORD_BYTES = 1000;
    private static final List<byte[]> TEN = Collections.nCopies(10, new byte[RECORD_BYTES]);

    @ParameterizedTest
    @ValueSource(ints = {10, 300, 800, 1600, 3000})
    void poll_behindTheProducer_readsEachByteAboutOnce(int recordsBehind) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(LogOptions.of(Logs.FOLDER, Commit.DEVICE, 8 << 20), disk)) {
            for (int behind = 0; behind < recordsBehind; behind += TEN.size()) {
                assertThat(log.appendAll(0, TEN)).isTrue();
            }
            long polled = 0;
            long before = disk.bytesRead();
            while (polled < 16 << 20) {
                assertThat(log.appendAll(0, TEN)).isTrue();
                for (int i = 0; i < TEN.size(); i++) {
                    assertThat(Logs.poll(log)).hasSize(RECORD_BYTES);
                    polled += RECORD_BYTES;
                }
            }
            assertThat(disk.bytesRead() - before).isLessThan(polled * 5 / 4);
        }
    }
}
