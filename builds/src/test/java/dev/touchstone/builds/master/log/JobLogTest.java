package dev.touchstone.builds.master.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.master.log.JobLog.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogTest {
    private static final int SLACK = 64 << 10; // for the agent's own lines

    @TempDir
    Path folder;

    private static Verdict append(JobLog log, long offset, int bytes) throws IOException {
        return log.append("a", 1, 7, offset, ByteBuffer.allocate(bytes));
    }

    @Test
    void append_beyondWhatTheRequestAllows_endsTheLease() throws IOException {
        AttemptFiles files = new AttemptFiles(folder);
        try (JobLog log = new JobLog(files, 3)) {
            log.lease("a", 1, 7, 100);
            assertThat(append(log, 0, 100)).isEqualTo(Verdict.APPENDED);
            assertThat(append(log, 0, 100)).isEqualTo(Verdict.KNOWN);
            assertThat(append(log, 50, 50 + SLACK)).isEqualTo(Verdict.APPENDED);
            assertThat(append(log, 100 + SLACK, 1)).isEqualTo(Verdict.TOO_LONG);
            assertThat(append(log, 0, 1)).isEqualTo(Verdict.STALE);
            assertThat(log.length()).isEqualTo(100 + SLACK);
        }
        assertThat(files.total(3)).isEqualTo(100 + SLACK);
    }

    @Test
    void append_withoutALimit_takesAll() throws IOException {
        try (JobLog log = new JobLog(new AttemptFiles(folder), 3)) {
            log.lease("a", 1, 7, Long.MAX_VALUE);
            assertThat(append(log, 0, 3 * SLACK)).isEqualTo(Verdict.APPENDED);
        }
    }
}
