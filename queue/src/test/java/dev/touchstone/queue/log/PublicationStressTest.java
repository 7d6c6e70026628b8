package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code scripts/queue-stress}. */
@Tag("slow")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublicationStressTest {
    @TempDir
    Path folder;

    @Test
    void publication_stressedForAMoment_showsNothingForbidden() throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process stress = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        PublicationStress.class.getSimpleName(),
                        "-m",
                        "sanity",
                        "-sc",
                        "false",
                        "-v", // or only the names of those that fail are printed
                        "-r",
                        folder.resolve("report").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        boolean ended = stress.waitFor(5, TimeUnit.MINUTES);
        stress.destroyForcibly();
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(stress.exitValue()).as(said).isZero();
        assertThat(said).contains("BatchRecords", "GroupCommit", "SignalWakeUp", "CertainlyConsumed", "TimerArming");
        assertThat(said).contains("PrefixGrows", "PrefixPublishes");
    }
}
