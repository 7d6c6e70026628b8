package dev.touchstone.builds.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class JobFormatTest {
    @Test
    void outcome_thatAnEarlierVersionWrote_hasNoArtefacts() throws IOException {
        byte[] job = JobFormat.write(new Attempt("a", 1, 7, "mark", false));
        Outcome outcome = Outcome.without(OutcomeCode.CANCELLED, "why");
        byte[] now = JobFormat.write(outcome);
        int length = now.length - Integer.BYTES - (Integer.BYTES + 2 * Long.BYTES); // without the numbers of artefacts
        ByteBuffer old = ByteBuffer.allocate(job.length + length + Integer.BYTES);
        old.put(job).put(now, 0, length).putInt(job.length + 6, length);
        CRC32C checksum = new CRC32C();
        checksum.update(old.array(), job.length, length);
        old.putInt((int) checksum.getValue());
        assertThat(JobFormat.read(old.array()).outcome()).contains(outcome);
    }
}
