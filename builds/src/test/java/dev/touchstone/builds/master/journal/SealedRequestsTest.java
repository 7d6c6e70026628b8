package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in events: only the key of the folder opens them, and only for the job that they belong to. */
class SealedRequestsTest {
    private static final String SECRET = "hunter2-hunter2";

    @TempDir
    Path folder;

    private static BuildRequest request() {
        return BuildRequest.of("file:///repository", "main", "ci/build")
                .secret("TOKEN", SECRET)
                .environment(Map.of("PLAIN", "seen"))
                .build();
    }

    private static Event.Accepted accepted(long... jobs) {
        LongArrayList which = new LongArrayList();
        for (int i = 0; i < jobs.length; i++) {
            which.add(0);
        }
        return new Event.Accepted(
                new Submitter("", 1),
                2,
                List.of(RequestMessage.of(request())),
                LongArrayList.of(jobs),
                LongArrayList.of(jobs),
                which);
    }

    private static Event.Accepted decoded(Event event, SecretKey key) {
        byte[] bytes = SealedRequests.seal(event, key).encode();
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
        return (Event.Accepted) Event.decode(ByteBuffer.wrap(bytes));
    }

    @Test
    void seal_andOpen_giveTheRequestToEachOfItsJobs() throws Exception {
        SecretKey key = SecretKey.open(folder);
        Event.Accepted read = decoded(accepted(7, 8), key);
        assertThat(read.requests().get(0).request().environment())
                .containsExactlyInAnyOrderEntriesOf(Map.of("TOKEN", "", "PLAIN", "seen"));
        assertThat(SealedRequests.open(read, 0, key).request()).isEqualTo(request());
        assertThat(SealedRequests.open(read, 1, SecretKey.open(folder)).request())
                .isEqualTo(request());
    }

    @Test
    void seal_again_bindsToTheFirstJobThatIsLeft() throws Exception {
        SecretKey key = SecretKey.open(folder);
        Event.Accepted read = decoded(accepted(7, 8), key);
        Event.Accepted later = new Event.Accepted(
                new Submitter("", 1),
                2,
                read.requests(),
                LongArrayList.of(8),
                LongArrayList.of(8),
                LongArrayList.of(0),
                read.sealed());
        assertThat(SealedRequests.open(decoded(later, key), 0, key).request()).isEqualTo(request());
    }

    @Test
    void open_ofAnotherJobsSecrets_isRefused() throws Exception {
        SecretKey key = SecretKey.open(folder);
        Event.Accepted read = decoded(accepted(7), key);
        Event.Accepted moved = new Event.Accepted(
                new Submitter("", 1),
                2,
                read.requests(),
                LongArrayList.of(8),
                LongArrayList.of(8),
                LongArrayList.of(0),
                read.sealed());
        assertThatThrownBy(() -> SealedRequests.open(moved, 0, key)).isInstanceOf(SecretsLostException.class);
    }

    @Test
    void open_withEachBitFlipped_isRefused() throws Exception {
        SecretKey key = SecretKey.open(folder);
        byte[] sealed = key.seal(7, Map.of("TOKEN", SECRET));
        for (int bit = 0; bit < 8 * sealed.length; bit++) {
            byte[] flipped = sealed.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> key.open(7, flipped)).as("bit=%s", bit).isInstanceOf(SecretsLostException.class);
        }
        assertThat(key.open(7, sealed)).containsEntry("TOKEN", SECRET);
    }

    @Test
    void keyFile_isTheOwnersOnly_andADamagedOneIsSetAside() throws Exception {
        SecretKey key = SecretKey.open(folder);
        byte[] sealed = key.seal(7, Map.of("TOKEN", SECRET));
        Path file = folder.resolve(SecretKey.FILE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        byte[] bytes = Files.readAllBytes(file);
        bytes[20] ^= 1;
        Files.write(file, bytes);
        SecretKey next = SecretKey.open(folder);
        assertThat(folder.resolve("damaged-" + SecretKey.FILE + "-1")).hasBinaryContent(bytes);
        assertThatThrownBy(() -> next.open(7, sealed)).hasMessageContaining("key that encrypted them is lost");
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("damaged-" + SecretKey.FILE + "-1"));
        assertThatThrownBy(() -> SecretKey.open(folder)).isInstanceOf(java.io.IOException.class);
    }
}
