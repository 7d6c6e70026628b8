package dev.touchstone.builds.agent.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    private final Launcher launcher = Launcher.detect(Map.of("PATH", System.getenv("PATH")));

    @TempDir
    Path tmp;

    @Test
    void start_programThatIsNotThere_saysSo() {
        Command command = new Command(List.of("/no/such/program"), tmp, Map.of(), Redirect.DISCARD, "mark");
        assertThatThrownBy(() -> launcher.start(command))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("/no/such/program");
    }

    @Test
    void start_folderThatIsNotThere_saysSo() {
        Command command = new Command(List.of("/bin/sh"), tmp.resolve("gone"), Map.of(), Redirect.DISCARD, "mark");
        assertThatThrownBy(() -> launcher.start(command))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("gone");
    }
}
