package dev.touchstone.benchmarks.capsule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/dependencies.md} says what the root pom pins. */
class DependencyDocumentTest {
    private static final Pattern PINNED =
            Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<$]+)</version>");

    @Test
    void document_everyPinnedVersion_onOneLineWithItsArtifact() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "dependencies.md"));
        Matcher pinned = PINNED.matcher(Files.readString(Path.of("..", "pom.xml")));

        while (pinned.find()) {
            String artifact = pinned.group(1);
            String version = pinned.group(2);
            if (!artifact.equals("touchstone")) {
                assertThat(lines)
                        .as(artifact + " " + version)
                        .anyMatch(line -> line.contains(artifact) && line.contains(version));
            }
        }
    }
}
