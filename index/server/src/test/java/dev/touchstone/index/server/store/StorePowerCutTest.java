package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few power cuts under a store by {@code scripts/index-power-cuts}, which makes 60 on its own; left out where the script cannot make devices. */
@Timeout(300)
class StorePowerCutTest {
    private static final int NEEDS_ROOT_OR_DEVICES = 3;

    @TempDir
    Path folder;

    @Test
    void open_afterAPowerCut_hasEveryAcknowledgedUpdateOnce() throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        ProcessBuilder script = new ProcessBuilder(
                        Path.of("../../scripts/index-power-cuts")
                                .toAbsolutePath()
                                .normalize()
                                .toString(),
                        "--cuts",
                        "4",
                        "--dir",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .redirectInput(new File("/dev/null"));
        script.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int code;
        try {
            code = script.start().waitFor();
        } catch (IOException e) {
            assumeThat(e).as("needs bash").isNull();
            throw e;
        }
        String said = Files.readString(out, StandardCharsets.UTF_8);
        System.out.println(said);
        assumeThat(code).as(said).isNotEqualTo(NEEDS_ROOT_OR_DEVICES);
        assertThat(code).as(said).isZero();
        assertThat(said).contains("4 power cuts of a store", "ok=4 broken=0");
    }
}
