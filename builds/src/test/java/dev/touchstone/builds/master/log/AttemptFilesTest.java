package dev.touchstone.builds.master.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The times of a log. */
class AttemptFilesTest {
    @TempDir
    Path folder;

    private AttemptFiles files;

    @BeforeEach
    void create() throws Exception {
        files = new AttemptFiles(folder);
        files.touch(7, 1);
        files.note(7, 0, 100);
        files.note(7, 50, 101);
    }

    private Path times() {
        return folder.resolve("0").resolve("7.times");
    }

    @Test
    void times_areThoseThatWereNoted_fromAnOffsetOn() throws Exception {
        assertThat(files.times(7, 0)).isEqualTo(Map.of(0L, 100L, 50L, 101L));
        assertThat(files.times(7, 1)).isEqualTo(Map.of(50L, 101L));
        assertThat(files.times(8, 0)).isEmpty();
    }

    @Test
    void times_ofALogThatWasCutAndCameAgain_areTheLast() throws Exception {
        files.note(7, 80, 102);
        files.note(7, 50, 200);
        assertThat(files.times(7, 0)).isEqualTo(Map.of(0L, 100L, 50L, 200L));
    }

    @Test
    void times_withATornRecord_goOnBehindTheWholeOnes() throws Exception {
        Files.write(times(), new byte[5], StandardOpenOption.APPEND);
        assertThat(files.times(7, 0)).hasSize(2);
        files.note(7, 90, 103);
        assertThat(files.times(7, 0)).isEqualTo(Map.of(0L, 100L, 50L, 101L, 90L, 103L));
    }

    @Test
    void times_areGoneWithTheLog_andBeginAnewWithTheFirstAttempt() throws Exception {
        files.begin(7, 2);
        assertThat(files.times(7, 0)).hasSize(2);
        files.begin(7, 1);
        assertThat(files.times(7, 0)).isEmpty();
        files.note(7, 0, 100);
        files.delete(7);
        assertThat(times()).doesNotExist();
    }
}
