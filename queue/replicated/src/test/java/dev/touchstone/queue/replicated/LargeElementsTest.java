package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small elements beside large ones, and large ones in little memory. Length of the load: {@code -Dload.seconds}. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeElementsTest {
    @TempDir
    Path folder;

    private final int seconds = Integer.getInteger("load.seconds", 60);

    @Test
    void offer_besideLargeElementsOfAnotherCaller_isDoneSoonByTheSameLeader() throws Exception {
        String large = System.getProperty("bytes", String.valueOf(1 << 20));
        List<String> small = List.of("4", "100");
        try (BulkGroup group = new BulkGroup(folder, List.of(List.of("1", large, "4", "100"), small, small))) {
            Group.pause(5_000); // compiled code
            long term = group.status(group.leader()).term();
            Group.pause(1_000 * seconds);
            for (int i = 0; i < BulkGroup.MEMBERS; i++) {
                System.out.println(group.line(i));
                assertThat(group.value(i, "p99"))
                        .as("milliseconds: %s", group.line(i))
                        .isLessThan(1_000);
                assertThat(group.value(i, "unknown") + group.value(i, "refused"))
                        .isZero();
            }
            assertThat(group.status(group.leader()).term()).isEqualTo(term);
        }
    }

    @Test
    void offer_largestElementsInThreeMembersOfASmallProcess_endsNone() throws Exception {
        runSmall("256m", SmallProcess.class, "30");
    }

    @Test
    void queue_ofManyElementsInThreeMembersOfASmallProcess_isOpenedAgainAndEmptied() throws Exception {
        runSmall("128m", ManyElements.class, "200000");
    }

    private void runSmall(String heap, Class<?> program, String argument) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx" + heap,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        folder.toString(),
                        argument)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        System.out.print(text);
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text.toLowerCase(Locale.ROOT)).doesNotContain("outofmemory");
    }
}
