package dev.touchstone.harness.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void digest_anyFileOfTheClassPath_changesIt() throws IOException {
        String digest = digest("a", "1", "2");
        assertThat(digest("b", "1", "2")).as("the same files elsewhere").isEqualTo(digest);
        assertThat(digest("c", "1", "3")).as("another class").isNotEqualTo(digest);
        assertThat(digest("d", "3", "2")).as("another jar").isNotEqualTo(digest);
    }

    private String digest(String name, String jar, String type) throws IOException {
        Path classes = Files.createDirectories(folder.resolve(name).resolve("classes/org"));
        Files.writeString(classes.resolve("A.class"), type);
        Path file = Files.writeString(folder.resolve(name).resolve("x.jar"), jar);
        String classPath = String.join(
                File.pathSeparator,
                file.toString(),
                "",
                folder.resolve("none").toString(),
                classes.resolve("..").toString());
        BuildInfo unknown = new BuildInfo("unknown", "unknown", false);
        return new Builds(List.of(Build.OWN), Map.of(Build.OWN, classPath), unknown, null).digest();
    }
}
